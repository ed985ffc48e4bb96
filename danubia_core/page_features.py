"""The scorecard of page types: features of a page, and the points that each gives or takes.

Structure alone: no names of sites, no words of a text, no address but the one that the page gives for itself, and of
that only whether it is a site's own. Points were fitted on half of the public development pages (a logistic regression
whose weights were held to the signs that the reasons claim; two points are one unit of log-odds) and checked on the
other half (docs/quality.md). docs/page_types.md is made from this table.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Literal

import msgspec

from danubia_core.page_facts import Facts, is_root_address

PageType = Literal[
    "article", "documentation", "forum", "product", "listing", "collection", "service", "homepage", "other"
]


class Feature(msgspec.Struct, frozen=True):
    """One thing that a page has or has not.

    Attributes:
        name: what the column calls it; its first part says where it is read.
        holds: whether a page has it.
        points: what it gives to (or takes from) page types.
        reason: what it is, and why it tells.
    """

    name: str
    holds: Callable[[Facts], bool]
    points: dict[PageType, int]
    reason: str


# What a page has before anything is known of it: most pages are articles; a type that others look like starts lower.
BASE_POINTS: Final[dict[PageType, int]] = {
    "article": 0,
    "documentation": 1,
    "forum": -1,
    "product": -1,
    "listing": 1,
    "collection": -3,
    "service": 3,
    "homepage": 1,
}
LEAST_POINTS: Final = 3  # a winner with fewer, its base included, has next to nothing that speaks for it: other

ARTICLES: Final = (
    "Article", "NewsArticle", "BlogPosting", "ReportageNewsArticle", "AnalysisNewsArticle", "OpinionNewsArticle",
    "Report", "ScholarlyArticle", "LiveBlogPosting",
)  # fmt: skip
SERVICES: Final = (
    "Service", "ProfessionalService", "SoftwareApplication", "WebApplication", "LocalBusiness", "FinancialProduct",
)  # fmt: skip
PUBLISHED: Final = frozenset(
    "article:published_time og:article:published_time datepublished publish_date dc.date.issued pubdate "
    "parsely-pub-date sailthru.date date dcterms.created dc.date".split()
)
MANUAL_GENERATOR: Final = re.compile(
    "docusaurus|mkdocs|sphinx|gitbook|docutils|vitepress|vuepress|doxygen|mdbook|antora|starlight|asciidoctor"
    "|dokuwiki|mediawiki",
    re.IGNORECASE,
)
FORUM_GENERATOR: Final = re.compile("discourse|phpbb|vbulletin|mybb|xenforo|flarum|nodebb|vanilla|smf", re.IGNORECASE)

FEATURES: Final[tuple[Feature, ...]] = (
    Feature(
        "data.article",
        lambda f: f.schema_count(*ARTICLES) in (1, 2),
        {"article": 5},
        "Structured data declares one article (or the article and its page).",
    ),
    Feature(
        "data.articles",
        lambda f: f.schema_count(*ARTICLES) > 2,
        {"listing": 2},
        "Structured data declares several articles: a list of them.",
    ),
    Feature(
        "data.posts",
        lambda f: f.schema_count("DiscussionForumPosting", "QAPage") > 0,
        {"forum": 2},
        "Structured data declares a thread, or a question with its answers.",
    ),
    Feature(
        "data.product",
        lambda f: f.schema_count("Product", "ProductGroup") in (1, 2),
        {"product": 4},
        "Structured data declares one product.",
    ),
    Feature(
        "data.products",
        lambda f: f.schema_count("Product", "ProductGroup") > 2,
        {"collection": 2},
        "Structured data declares many products: a shelf of them.",
    ),
    Feature(
        "data.offer",
        lambda f: f.schema_count("Offer", "AggregateOffer") > 0,
        {"product": 3},
        "Structured data names a price.",
    ),
    Feature(
        "data.list",
        lambda f: f.schema_count("ItemList", "CollectionPage", "SearchResultsPage", "OfferCatalog") > 0,
        {"listing": 3, "collection": 2},
        "Structured data declares a list.",
    ),
    Feature(
        "data.service",
        lambda f: f.schema_count(*SERVICES) > 0,
        {"service": 5},
        "Structured data declares a service, a business or a program.",
    ),
    Feature(
        "data.manual",
        lambda f: f.schema_count("TechArticle", "APIReference") > 0,
        {"documentation": 2},
        "Structured data declares technical documentation.",
    ),
    Feature(
        "data.site",
        lambda f: f.schema_count("WebSite") > 0 and not f.schema_count("BreadcrumbList", *ARTICLES),
        {"homepage": 2},
        "Structured data speaks of the site and of no place in it.",
    ),
    Feature(
        "data.breadcrumbs",
        lambda f: f.schema_count("BreadcrumbList") > 0,
        {"collection": 2, "homepage": -2},
        "A trail of pages above this one: never a home page, usual in shops.",
    ),
    Feature(
        "graph.article",
        lambda f: f.meta.get("og:type", "").lower() in ("article", "blog", "news"),
        {"article": 2, "collection": -2},
        "The page shares itself as an article; many pages that are none do, too.",
    ),
    Feature(
        "graph.product",
        lambda f: "product" in f.meta.get("og:type", "").lower(),
        {"product": 5},
        "The page shares itself as a product.",
    ),
    Feature(
        "graph.website",
        lambda f: f.meta.get("og:type", "").lower() == "website",
        {"homepage": 2},
        "The page shares itself as a site, not as a piece of writing.",
    ),
    Feature(
        "meta.published",
        lambda f: not PUBLISHED.isdisjoint(f.meta),
        {"article": 2},
        "A day of publication in the head.",
    ),
    Feature(
        "meta.manual_generator",
        lambda f: bool(MANUAL_GENERATOR.search(f.meta.get("generator", ""))),
        {"documentation": 2},
        "Made by a program that makes manuals and wikis.",
    ),
    Feature(
        "meta.forum_generator",
        lambda f: bool(FORUM_GENERATOR.search(f.meta.get("generator", ""))),
        {"forum": 9},
        "Made by a program that runs forums.",
    ),
    Feature(
        "meta.root_address",
        lambda f: is_root_address(f.canonical),
        {"homepage": 9},
        "The page gives the site's own address as its address.",
    ),
    Feature(
        "root.home",
        lambda f: "root_home" in f.root,
        {"homepage": 2},
        "The page's own class says that it is the front page.",
    ),
    Feature(
        "root.post",
        lambda f: "root_post" in f.root,
        {"article": 2},
        "The page's own class says that it is a single post.",
    ),
    Feature(
        "root.page",
        lambda f: "root_page" in f.root,
        {"service": 4},
        "The page's own class says that it is a fixed page, not a post.",
    ),
    Feature(
        "root.list",
        lambda f: "root_list" in f.root,
        {"listing": 2},
        "The page's own class says that it is an archive, a category or a search.",
    ),
    Feature(
        "root.goods",
        lambda f: "root_goods" in f.root,
        {"collection": 2},
        "The page's own class says that it is a shelf of goods.",
    ),
    Feature(
        "root.product",
        lambda f: "root_product" in f.root,
        {"product": 2},
        "The page's own class says that it is about one product.",
    ),
    Feature(
        "root.manual",
        lambda f: "root_manual" in f.root,
        {"documentation": 2},
        "The page's own class says that it belongs to a manual or wiki.",
    ),
    Feature(
        "root.thread",
        lambda f: f.thread,
        {"forum": 6},
        "Data or class of the root say that it is a thread.",
    ),
    Feature(
        "class.prices",
        lambda f: 0 < f.topics.get("prices", 0) < 20,
        {"product": 2},
        "A few prices.",
    ),
    Feature(
        "class.many_prices",
        lambda f: f.topics.get("prices", 0) >= 20,
        {"collection": 2, "service": -3},
        "Many prices: goods side by side.",
    ),
    Feature(
        "class.products",
        lambda f: f.topics.get("products", 0) >= 20,
        {"collection": 4, "product": 3},
        "Names of a shop's parts, many times.",
    ),
    Feature(
        "class.shop",
        lambda f: f.topics.get("shop", 0) > 0,
        {"collection": 4, "product": 1},
        "A cart or a checkout: a shop.",
    ),
    Feature(
        "class.to_cart",
        lambda f: 0 < f.topics.get("to_cart", 0) < 5,
        {"product": 2},
        "A button that buys this thing.",
    ),
    Feature(
        "class.many_to_cart",
        lambda f: f.topics.get("to_cart", 0) >= 5,
        {"collection": 2},
        "Buttons that buy several things.",
    ),
    Feature(
        "class.stock",
        lambda f: f.topics.get("stock", 0) > 0,
        {"product": 2},
        "Quantity, stock, delivery.",
    ),
    Feature(
        "class.reviews",
        lambda f: f.topics.get("reviews", 0) > 0,
        {"product": 4},
        "Customers' reviews.",
    ),
    Feature(
        "class.gallery",
        lambda f: f.topics.get("gallery", 0) > 0,
        {"product": 3, "article": -2},
        "Pictures of one thing from all sides.",
    ),
    Feature(
        "class.filters",
        lambda f: f.topics.get("filters", 0) >= 3,
        {"listing": 4, "collection": 1},
        "Ways to filter or sort what is listed.",
    ),
    Feature(
        "class.pager",
        lambda f: f.topics.get("pager", 0) > 0,
        {"listing": 3, "collection": 2},
        "The list goes on, on further pages.",
    ),
    Feature(
        "class.byline",
        lambda f: 0 < f.topics.get("byline", 0) < 10,
        {"article": 2, "documentation": -2},
        "An author's line.",
    ),
    Feature(
        "class.many_bylines",
        lambda f: f.topics.get("byline", 0) >= 10,
        {"forum": 2},
        "Many authors' lines.",
    ),
    Feature(
        "class.avatars",
        lambda f: f.topics.get("avatars", 0) >= 3,
        {"forum": 3},
        "Several people's pictures: they talk.",
    ),
    Feature(
        "class.users",
        lambda f: f.topics.get("users", 0) >= 8,
        {"forum": 2},
        "Many user names.",
    ),
    Feature(
        "class.reply",
        lambda f: f.topics.get("reply", 0) > 0,
        {"forum": 5},
        "Ways to answer or vote.",
    ),
    Feature(
        "class.contents",
        lambda f: f.topics.get("contents", 0) > 0,
        {"documentation": 4, "article": 1, "service": -1},
        "A table of contents.",
    ),
    Feature(
        "class.manual",
        lambda f: f.topics.get("manual", 0) >= 3,
        {"article": -2},
        "Names of a manual's parts, several times.",
    ),
    Feature(
        "class.questions",
        lambda f: f.topics.get("questions", 0) > 0,
        {"service": 3, "collection": 1},
        "Questions and answers behind panels, as pages that sell have them.",
    ),
    Feature(
        "class.features",
        lambda f: f.topics.get("features", 0) >= 3,
        {"service": 3, "collection": -1},
        "Features, benefits or services side by side.",
    ),
    Feature(
        "class.contact",
        lambda f: f.topics.get("contact", 0) >= 3,
        {"listing": -1, "product": -4},
        "Ways to call, to book or to ask for an offer.",
    ),
    Feature(
        "class.items",
        lambda f: f.topics.get("items", 0) >= 40,
        {"listing": 1, "product": -2},
        "A great many parts named items or results.",
    ),
    Feature(
        "class.slides",
        lambda f: f.topics.get("slides", 0) >= 3,
        {"product": 2, "collection": 2, "listing": -1},
        "A slide show.",
    ),
    Feature(
        "tags.one_article",
        lambda f: f.tags.get("article", 0) == 1,
        {"article": 2},
        "One article element: the piece of writing itself.",
    ),
    Feature(
        "tags.code",
        lambda f: f.tags.get("code", 0) >= 3,
        {"documentation": 6},
        "Code in the text.",
    ),
    Feature(
        "tags.listings",
        lambda f: f.tags.get("pre", 0) >= 3,
        {"documentation": 3},
        "Several blocks of code.",
    ),
    Feature(
        "tags.keys",
        lambda f: f.tags.get("kbd", 0) + f.tags.get("samp", 0) > 0,
        {"documentation": 5},
        "Keys to press, or a program's output.",
    ),
    Feature(
        "tags.few_paragraphs",
        lambda f: f.tags.get("p", 0) <= 3 and f.text_bytes >= 3000,
        {"listing": 2},
        "Hardly a paragraph, though there is text.",
    ),
    Feature(
        "tags.pictures",
        lambda f: f.tags.get("img", 0) >= 40,
        {"product": 2, "documentation": -1},
        "A great many pictures.",
    ),
    Feature(
        "tags.buttons",
        lambda f: f.tags.get("button", 0) >= 20,
        {"product": 1},
        "Many buttons: something to operate.",
    ),
    Feature(
        "tags.quotes",
        lambda f: f.tags.get("blockquote", 0) > 0,
        {"forum": 3},
        "Quotations, as answers to posts have them.",
    ),
    Feature(
        "tags.figures",
        lambda f: f.tags.get("figure", 0) > 0,
        {"article": 2},
        "Figures with the text.",
    ),
    Feature(
        "tags.time",
        lambda f: 0 < f.tags.get("time", 0) < 4,
        {"article": 2},
        "A time or two: when it was written.",
    ),
    Feature(
        "links.headings",
        lambda f: f.linked_headings >= 8 and f.linked_headings * 2 >= f.headings,
        {"listing": 4, "collection": 2, "homepage": 1},
        "Most headings are links: they name other pages.",
    ),
    Feature(
        "text.much_prose",
        lambda f: f.prose_bytes >= 5000,
        {"article": 2},
        "A lot of prose.",
    ),
    Feature(
        "text.little_prose",
        lambda f: f.prose_bytes < 1000 and f.prose_bytes * 2 < f.text_bytes,
        {"product": 2, "article": -2, "service": -4},
        "Hardly any prose.",
    ),
    Feature(
        "text.low_prose_share",
        lambda f: f.prose_bytes * 4 < f.text_bytes >= 1000,
        {"listing": 3, "collection": 3, "service": -1},
        "Less than a quarter of the text is prose.",
    ),
    Feature(
        "text.prose",
        lambda f: f.prose_bytes * 10 >= f.text_bytes * 6 > 0,
        {"article": 2},
        "Most of the text is prose.",
    ),
    Feature(
        "text.flow",
        lambda f: f.flow_bytes * 10 >= f.prose_bytes * 7 > 0,
        {"article": 2},
        "Nearly all prose lies in the paragraphs of one element.",
    ),
    Feature(
        "text.short_flow",
        lambda f: f.flow_bytes < 600 and f.flow_bytes * 3 < f.text_bytes,
        {"article": -1},
        "No element holds a text in paragraphs.",
    ),
    Feature(
        "text.flow_headings",
        lambda f: f.flow_headings >= 3,
        {"article": 2, "product": -1, "listing": -3},
        "Several headings among the paragraphs of one text.",
    ),
    Feature(
        "text.no_flow_heading",
        lambda f: f.flow_headings == 0,
        {"documentation": -3},
        "No heading among the paragraphs of the longest text.",
    ),
    Feature(
        "title.long",
        lambda f: f.title_bytes >= 45,
        {"article": 1},
        "A long title: a headline or a question.",
    ),
    Feature(
        "title.short",
        lambda f: 0 < f.title_bytes < 25,
        {"collection": 3},
        "A short title: a name.",
    ),
)
