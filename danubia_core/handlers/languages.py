"""Names of programming languages as class names tell them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from danubia_core.document import Document

MAX_CLIMB: Final = 4

# Known names stand on their own beside a highlighter's class; prefixed ones need not be known.
LANGUAGES: Final = frozenset(
    "abap ada agda apache applescript arduino asm assembly awk bash bat batch c c# c++ cc clojure cmake cobol "
    "coffee coffeescript console cpp crystal cs csharp css cuda cypher d dart diff docker dockerfile dos "
    "elisp elixir elm erb erlang fish fortran fsharp gdscript gherkin glsl go golang gradle graphql groovy "
    "haml handlebars haskell hcl hlsl html http idris ini java javascript jinja js json json5 jsonc jsx julia "
    "kotlin latex lean less lisp llvm lua makefile markdown mathematica matlab md mermaid nasm nginx nim nix "
    "objc objective-c objectivec ocaml pascal perl php pl plsql postgres powershell prolog properties proto "
    "protobuf ps1 pug puppet purescript py python python3 pycon r racket rb reason rest rst ruby rust sass "
    "scala scheme scss sh shell smalltalk solidity sql stylus svelte swift tcl terraform tex toml ts tsx twig "
    "typescript v vb vba vbnet verilog vhdl vim vue wasm xml yaml yml zig zsh".split()
)
NO_LANGUAGES: Final = frozenset(
    "text plain plaintext txt none nohighlight no-highlight auto default wrap null undefined notranslate "
    "source code unknown highlighter-rouge en".split()
)
HIGHLIGHTERS: Final = frozenset(
    "hljs highlight prettyprint chroma sourcecode code rouge hl shiki src prism syntaxhighlighter codehilite "
    "codeblock code-block programlisting listing highlight-source language lang".split()
)
_PREFIXED = re.compile(
    r"(?:language|lang|highlight-source|highlight|brush:?|src|sourcecode|syntax|code)[-_:](.+)", re.IGNORECASE
)
_BRUSH = re.compile(r"brush:\s*([\w+#-]+)", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z][\w+#.-]{0,29}")


def find_language(document: Document, i: int) -> str:
    """Return the language that class names or data attributes at or around the code at `i` tell, or ''."""
    tags = document.tag
    inside = next((k for k in range(i + 1, min(i + 6, document.end[i])) if tags[k] == "code"), -1)
    if inside >= 0 and (name := read_language(document.attrs[inside], is_code=True)):
        return name
    size, k = document.text_bytes(i), i
    for _ in range(MAX_CLIMB + 1):
        if k == 0 or tags[k] in ("body", "article", "main", "li", "blockquote"):
            break
        if document.text_bytes(k) > size * 2 + 200:
            break  # holds more than this code and its gutter
        if name := read_language(document.attrs[k], is_code=tags[k] in ("pre", "code")):
            return name
        k = document.parent[k]
    return ""


def read_language(attributes: dict[str, str], *, is_code: bool) -> str:
    """Return the language that one element's attributes tell, or ''."""
    for key in ("data-lang", "data-language", "data-enlighter-language", "data-code-lang"):
        if name := _accept(attributes.get(key, "")):
            return name
    names = attributes.get("class", "")
    if names and (name := _read_names(names, is_code=is_code)):
        return name
    lang = attributes.get("lang", "").lower()
    return lang if is_code and lang in LANGUAGES else ""


def _read_names(names: str, *, is_code: bool) -> str:
    if "brush" in names and (found := _BRUSH.search(names)):
        return _accept(found[1])
    tokens = names.split()
    for token in tokens:
        found = _PREFIXED.fullmatch(token)
        if found and (name := _accept(found[1])) and (name in LANGUAGES or token.lower().startswith("lang")):
            return name
    lowered = [token.lower() for token in tokens]
    if is_code or not HIGHLIGHTERS.isdisjoint(lowered):
        for token in lowered:
            if token in LANGUAGES and token != "d" and token != "v" and token != "r":
                return token
    return ""


def _accept(name: str) -> str:
    name = name.strip().lower()
    return name if _NAME.fullmatch(name) and name not in NO_LANGUAGES else ""
