"""Characters of formulas and their TeX commands."""

from __future__ import annotations

from typing import Final


def _pair(pairs: str) -> dict[str, str]:
    words = pairs.split()
    return {words[k]: "\\" + words[k + 1] for k in range(0, len(words), 2)}


GREEK: Final = _pair(
    "α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ "
    "mu µ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω "
    "omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ℏ hbar ℓ ell ℑ Im ℜ Re ℵ "
    "aleph ℘ wp"
)
OPERATORS: Final = {
    **_pair(
        "× times · cdot ⋅ cdot ÷ div ± pm ∓ mp ∗ ast ⋆ star ∘ circ • bullet ⊕ oplus ⊗ otimes ⊖ ominus ⊙ odot † dagger "
        "‡ ddagger ≠ neq ≤ leq ≥ geq ⩽ leqslant ⩾ geqslant ≪ ll ≫ gg ≈ approx ≃ simeq ≅ cong ≡ equiv ∼ sim ∝ propto ≺ "
        "prec ≻ succ ≲ lesssim ∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ∪ cup ∩ cap ∖ setminus ∅ "
        "emptyset ∀ forall ∃ exists ∄ nexists ¬ neg ∧ wedge ∨ vee ⊢ vdash ⊨ models ⊥ perp ⊤ top ∥ parallel ∣ mid → "
        "rightarrow ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ⟹ Longrightarrow ⟺ "
        "Longleftrightarrow ⟶ longrightarrow ↦ mapsto ↑ uparrow ↓ downarrow ∂ partial ∇ nabla ∞ infty ∑ sum ∏ prod ∐ "
        "coprod ∫ int ∬ iint ∭ iiint ∮ oint ⋂ bigcap ⋃ bigcup ⨁ bigoplus ⨂ bigotimes ⋀ bigwedge ⋁ bigvee … ldots ⋯ "
        "hdots ⋮ vdots ⋱ ddots ∠ angle △ triangle □ square ° circ ⟨ langle ⟩ rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil "
        "‖ | { { } } ∥ parallel ℝ mathbb{R} ℕ mathbb{N} ℤ mathbb{Z} ℚ mathbb{Q} ℂ mathbb{C} % % # # & & $ $ _ _"
    ),
    "−": "-", "′": "'", "″": "''", "‴": "'''", "\u2061": "", "\u2062": "", "\u2063": "", "\u2064": "", "\u200b": "",
    "＝": "=", "～": "\\sim", "∕": "/",
}  # fmt: skip
FUNCTIONS: Final = frozenset(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln "
    "log max min Pr sec sin sinh sup tan tanh".split()
)
LIMIT_OPERATORS: Final = frozenset(
    "\\sum \\prod \\coprod \\int \\iint \\iiint \\oint \\bigcap \\bigcup \\bigoplus \\bigotimes \\bigwedge \\bigvee "
    "\\lim \\liminf \\limsup \\max \\min \\sup \\inf \\det \\gcd \\Pr".split()
)
VARIANTS: Final = {
    "bold": "mathbf", "double-struck": "mathbb", "script": "mathcal", "fraktur": "mathfrak", "sans-serif": "mathsf",
    "monospace": "mathtt", "bold-italic": "boldsymbol", "bold-script": "mathcal", "bold-fraktur": "mathfrak",
}  # fmt: skip
OVER_ACCENTS: Final = {
    "^": "hat", "ˆ": "hat", "\u0302": "hat", "~": "tilde", "˜": "tilde", "\u0303": "tilde", "¯": "overline",
    "‾": "overline", "―": "overline", "ˉ": "bar", "\u0305": "overline", "_": "overline", "⏞": "overbrace", "⇀": "vec",
    "¨": "ddot", "ˇ": "check",
}  # fmt: skip
TRUE_ACCENTS: Final = {"→": "vec", "˙": "dot", ".": "dot", "\u20d7": "vec"}
UNDER_ACCENTS: Final = {"⏟": "underbrace", "_": "underline", "‾": "underline", "¯": "underline", "―": "underline"}
OPENING: Final = {"(": "(", "[": "[", "{": "\\{", "⟨": "\\langle", "⌊": "\\lfloor", "⌈": "\\lceil"}
CLOSING: Final = {")": ")", "]": "]", "}": "\\}", "⟩": "\\rangle", "⌋": "\\rfloor", "⌉": "\\rceil"}
MATRICES: Final = {
    ("(", ")"): "pmatrix",
    ("[", "]"): "bmatrix",
    ("{", "}"): "Bmatrix",
    ("|", "|"): "vmatrix",
    ("‖", "‖"): "Vmatrix",
}
