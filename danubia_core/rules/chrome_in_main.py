"""The narrow vocabulary: the only names that discard inside marked main content."""

from __future__ import annotations

from danubia_core.rules.rule import Rule, split_names

CHROME_IN_MAIN_RULES = (
    Rule(
        id="inside.navigation",
        scope="inside",
        reason="Even inside main, crumbs, pagers and nav elements lead elsewhere.",
        page="documentation page with breadcrumb and pager inside main",
        catches='<main><ol class="breadcrumb"><li>Home</li></ol><p>Text</p></main>',
        spares='<main><div class="menu"><p>Soup of the day</p></div></main>',
        words=split_names("breadcrumb breadcrumbs pagination"),
        pairs=split_names("post-navigation nav-links page-navigation entry-nav posts-navigation page-nav nav-previous nav-next"),
        roles=split_names("navigation"),
        tags=split_names("nav"),
    ),
    Rule(
        id="inside.related",
        scope="inside",
        reason="Boxes of other pages between or after paragraphs.",
        page="news article with a related box between paragraphs",
        catches='<main><div class="related-posts"><p>Other</p></div><p>Text</p></main>',
        spares='<main><div class="related"><p>Related work in the field</p></div></main>',
        tokens=split_names("yarpp outbrain taboola jp-relatedposts recirc"),
        pairs=split_names(
            "related-posts related-articles related-post related-article related-stories related-content related-links related-news "
            "recommended-posts recommended-articles read-next more-stories you-may also-like related-items related-products related-topics"
        ),
    ),
    Rule(
        id="inside.consent",
        scope="inside",
        reason="Sign-up boxes and consent texts inside the article.",
        page="blog article with a newsletter box inside",
        catches='<main><div class="newsletter-signup"><p>Sign up</p></div><p>Text</p></main>',
        spares='<main><div class="letter"><p>Dear reader</p></div></main>',
        words=split_names("newsletter paywall"),
        pairs=split_names("cookie-banner cookie-notice cookie-consent email-signup subscribe-form signup-form"),
        roles=split_names("dialog alertdialog"),
        tags=split_names("dialog"),
    ),
    Rule(
        id="inside.social",
        scope="inside",
        reason="Share bars stand inside articles.",
        page="blog article with a share bar inside the text",
        catches='<main><div class="share-buttons"><p>Share</p></div><p>Text</p></main>',
        spares='<main><div class="market-share"><p>Share of the market</p></div></main>',
        tokens=split_names("sharedaddy addtoany_share_save_container addthis_toolbox share sharing social-share share-bar sharebar social share-this"),
        pairs=split_names("share-buttons social-share share-bar social-links share-links social-icons share-icons social-media share-tools social-sharing sharing-buttons share-post "
                          "share-article post-share article-share"),
    ),
    Rule(
        id="inside.advert",
        scope="inside",
        reason="Ad slots stand between paragraphs.",
        page="news article with ad slots",
        catches='<main><div class="ad-slot"><p>Buy</p></div><p>Text</p></main>',
        spares='<main><div class="adlib"><p>Text</p></div></main>',
        words=split_names("advert advertisement adsbygoogle adslot"),
        pairs=split_names("ad-slot ad-container ad-unit ad-wrapper"),
    ),
    Rule(
        id="inside.comments",
        scope="inside",
        reason="Readers' comments below the article, inside main.",
        page="blog with comments inside main",
        catches='<main><div id="comments"><p>First!</p></div><p>Text</p></main>',
        spares='<main><div class="comment"><p>A reply in a forum</p></div></main>',
        tokens=split_names("comments disqus_thread respond comment-respond comments-area comment-list commentlist comments-section comment-section comment-form"),
    ),
    Rule(
        id="inside.byline",
        scope="inside",
        reason="Author boxes and tag lists inside the article.",
        page="blog article with an author box inside",
        catches='<main><div class="author-bio"><p>Ann writes.</p></div><p>Text</p></main>',
        spares='<main><div class="author"><p>Ann, the author of the letter</p></div></main>',
        pairs=split_names("author-box author-bio about-author tag-cloud tags-links post-tags entry-tags article-tags entry-meta post-meta article-meta"),
    ),
    Rule(
        id="inside.furniture",
        scope="inside",
        reason="Edit links, copy buttons and footers of sections act on the page instead of being read.",
        page="wiki page with edit links at each heading",
        catches='<main><h2>Name <span class="mw-editsection">edit</span></h2><p>Text</p></main>',
        spares='<main><p class="edited">Text</p></main>',
        tokens=split_names("mw-editsection mw-jump-link headerlink noprint navbox catlinks printfooter skip-link screen-reader-text sr-only visually-hidden visuallyhidden"),
        tags=split_names("footer"),
    ),
    Rule(
        id="inside.reviews",
        scope="everywhere",
        reason="Customers' reviews of a product are readers' comments: not the page's own matter.",
        page="shop page with customers' reviews below the description",
        catches='<main><div class="customer-reviews"><p>Five stars</p></div><p>Text</p></main>',
        spares='<main><div class="review"><p>A review of a book</p></div></main>',
        tokens=split_names("reviews review-list reviews-list reviewtext"),
        pairs=split_names("customer-review customer-reviews product-reviews review-text reviews-content review-card reviews-container reviews-section user-reviews reviews-list"),
    ),
    Rule(
        id="inside.label",
        scope="everywhere",
        reason="The label of a form field.",
        page="shop page with filters",
        catches="<main><label>Size</label><p>Text</p></main>",
        spares='<main><span class="label">Size</span></main>',
        tags=split_names("label"),
    ),
)  # fmt: skip
