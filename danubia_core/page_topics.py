"""What class and id words speak of, for telling pages apart: topic → words (`a-b`: two words side by side in one name).

Names of classes are code, written in English the world over; they are read as such, whatever the page's language. The
first group is counted over all elements; `root_…` topics are asked of html and body alone, where content management
systems write down what kind of page they made.
"""

from __future__ import annotations

from typing import Final

TOPICS: Final[dict[str, frozenset[str]]] = {
    name: frozenset(words.split())
    for name, words in {
        "prices": "price prices",
        "products": "product products",
        "shop": "cart basket minicart checkout bag",
        "to_cart": "to-cart add-to addtocart quick-add",
        "stock": "shipping delivery stock availability sku quantity qty",
        "variants": "swatch swatches variant variants option-value",
        "reviews": "review reviews",
        "gallery": "gallery thumbnails thumbs zoom",
        "filters": "filter filters facet facets refine refinement sort sorting sortby",
        "pager": "pagination pager paginate page-numbers load-more paging",
        "byline": "author byline posted-by",
        "avatars": "avatar avatars userpic user-pic",
        "users": "user username member poster userinfo",
        "reply": "reply replies upvote downvote vote votes reactions",
        "contents": "toc table-of on-this",
        "manual": "docs doc documentation api sphinx docusaurus wiki mw manual admonition",
        "questions": "faq faqs accordion",
        "features": "feature features benefit benefits service services solutions",
        "contact": "contact quote-form demo appointment request lead booking phone tel",
        "items": "item result results listing job event",
        "slides": "slide slider swiper carousel slick",
        "cards": "card cards tile tiles teaser",
        "root_post": "single-post postid post-template article node-article type-article post blog-post single story",
        "root_page": "page-id page-template landing basicpage",
        "root_list": "archive archives category tax blog listing search-results",
        "root_home": "home homepage front frontpage",
        "root_goods": "collection category catalog plp products",
        "root_product": "product pdp",
        "root_manual": "docs doc documentation wiki mediawiki manual",
    }.items()
}


def index_topics() -> dict[str, tuple[str, ...]]:
    """Give the topics of each word (or pair of words), in the table's order."""
    found: dict[str, tuple[str, ...]] = {}
    for topic, words in TOPICS.items():
        for word in words:
            found[word] = (*found.get(word, ()), topic)
    return found
