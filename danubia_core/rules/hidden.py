"""What a browser does not show, and what is not text."""

from __future__ import annotations

from danubia_core.rules.rule import Rule, split_names

HIDDEN_RULES = (
    Rule(
        id="hidden.attribute",
        reason="A browser does not show it.",
        page="wiki page with a hidden note",
        catches="<div hidden><p>Note</p></div>",
        spares='<div data-hidden="no"><p>Text</p></div>',
        attributes=frozenset((("hidden", ""),)),
    ),
    Rule(
        id="hidden.style",
        reason="A browser does not show it.",
        page="wiki page with a hidden draft",
        catches='<div style="display: none"><p>Draft</p></div>',
        spares='<div style="display: block"><p>Text</p></div>',
    ),
    Rule(
        id="hidden.aria",
        reason="Hidden from readers' aids: decoration or a closed panel.",
        page="page with a closed dialog",
        catches='<div aria-hidden="true"><p>Dialog</p></div>',
        spares='<div aria-hidden="false"><p>Text</p></div>',
        attributes=frozenset((("aria-hidden", "true"),)),
    ),
    Rule(
        id="drop.button",
        reason="A button acts; its label is not content, unless it is the heading of an accordion.",
        page="forum with vote buttons",
        catches="<div><button>Vote</button><p>Text</p></div>",
        spares="<div><h3><button>How to apply</button></h3><p>Text</p></div>",
        tags=split_names("button"),
    ),
    Rule(
        id="drop.skip-link",
        prose_limit_bytes=60,
        reason="A link to a place on the same page for readers without a mouse.",
        page="any site",
        catches='<div><a class="skip-link" href="#main">Skip to content</a><p>Text</p></div>',
        spares='<div><a href="#note">note</a><p>Text</p></div>',
        tokens=split_names("skip skip-link skiplink skip-to-content skip-to-main skip-nav"),
    ),
)
