"""Rules that mark main content: semantic tags, roles, and the class and id names that publishing systems use."""

from __future__ import annotations

from danubia_core.rules.rule import Rule, split_names

MAIN_RULES = (
    Rule(
        id="main.body",
        action="main",
        level=1,
        reason="Publishing systems name the element that holds the text of an article, and nothing else, this way.",
        page="blog article with share bar and author box beside the text",
        catches='<div class="entry-content"><p>Text</p></div>',
        spares='<div class="content-footer"><p>Text</p></div>',
        tokens=split_names(
            "entry-content post-content article-content article-body articlebody article__body article__content "
            "article-body__content article-text article_body article_content article-main post-body post__content "
            "post-body-content postbody post-entry post_content post-text story-body story-content storybody "
            "storycontent story-text blog-content blog-post-content blog-post__content blog-post-body blogcontent "
            "articletext news-content news-body news-text news-detail newsbody text-content single-content content-body body-content "
            "page-body main-article article-inner article-detail entry-body entry__content rich-text-content "
            "markdown-body mw-parser-output theme-doc-markdown td-post-content single-post-content c-entry-content "
            "article-copy body-copy story__body wysiwyg-content post-single-content post-full-content gh-content "
            "article__text entry-text content-article art-content detail-content textcontent post-article body-text bodytext mw-content-text rst-content td-content"
        ),
        attributes=frozenset((("itemprop", "articlebody"), ("property", "content:encoded"))),
    ),
    Rule(
        id="main.article",
        action="main",
        level=2,
        reason="An article element, or a class or role that says so, holds a self-contained composition.",
        page="news page with a rail of teasers beside the article",
        catches="<article><p>Text</p></article>",
        spares="<section><p>Text</p></section>",
        tags=split_names("article"),
        roles=split_names("article"),
        tokens=split_names(
            "article post hentry h-entry blog-post blogpost single-post post-single article-wrapper article-container article-page "
            "story main-story news-article news-detail news-item-detail articlepage article-view article-full"
        ),
    ),
    Rule(
        id="main.region",
        action="main",
        level=3,
        reason="The main element, the main role and their traditional ids hold what the page is about.",
        page="page with header, rail and footer around main",
        catches="<main><p>Text</p></main>",
        spares='<div class="header"><p>Text</p></div>',
        tags=split_names("main"),
        roles=split_names("main"),
        tokens=split_names(
            "main main-content maincontent main_content content-main primary-content primary-main site-main page-content "
            "pagecontent content-area the-content bodycontent main-body mainbody maintext main-text document-content "
            "bd-main main-column maincolumn center-content contentmain main-container__content page-main mainarea"
        ),
    ),
    Rule(
        id="main.container",
        action="main",
        level=4,
        reason="A container named content usually holds the main content among other things.",
        page="page without semantic tags",
        catches='<div id="content"><p>Text</p></div>',
        spares='<div id="contact"><p>Text</p></div>',
        tokens=split_names("content primary contents content-wrapper content-wrap content-container content-inner inner-content contentarea "
                           "content_area content-wrapper content_wrapper single page-container center middle"),
    ),
    Rule(
        id="main.post",
        action="main",
        level=5,
        reason="Forum and question software names the element that holds the text of one post this way.",
        page="forum thread whose posts sit in repeated containers with user details and buttons beside the text",
        catches='<div class="bbWrapper"><p>Text</p></div>',
        spares='<div class="post-meta"><p>Text</p></div>',
        tokens=split_names(
            "bbwrapper postbody postcontent js-post__content-text cooked cpost_contentwrap ipscomment_content js-post-body s-prose "
            "post-body post_body post_message msg_text usertext-body comment_text commtext commentbody messagetext message-text usercontent "
            "post__content post-content posttext post-text topic-body md-div reply-content answer-content question-body question-content answer-body post_content "
            "message-content messagebody message-body comment-content comment__content comment-body comment-text answer_body question_body lia-message-body-content vbpostbody postmessage"
        ),
        attributes=frozenset((("itemprop", "text"), ("component", "post/content"), ("data-role", "commentcontent"))),
    ),
)  # fmt: skip
