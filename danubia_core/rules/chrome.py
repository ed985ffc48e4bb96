"""The broad vocabulary of page furniture: it discards outside marked main content only."""

from __future__ import annotations

from danubia_core.rules.rule import Rule, split_names

CHROME_RULES = (
    Rule(
        id="chrome.navigation",
        scope="outside",
        prose_limit_bytes=300,
        reason="Menus, crumbs and pagers lead elsewhere.",
        page="news page with a mega menu",
        catches='<div class="main-navigation"><p>Home</p></div>',
        spares='<div class="navigator-story"><p>Text</p></div>',
        words=split_names(
            "nav navbar navigation menu menubar submenu megamenu breadcrumb breadcrumbs crumb crumbs pagination pager toc "
            "navigazione navegacion navegacao navigatie menue ariane migas brotkrumen breadcrump briciole okruszki "
            "navi topnav subnav sitenav navmenu dropdown hamburger offcanvas topbar bottombar toolbar"
        ),
        roles=split_names("navigation menu menubar toolbar tablist search"),
        tags=split_names("nav"),
    ),
    Rule(
        id="chrome.rail",
        scope="outside",
        reason="Beside the main content stand things that are on many pages.",
        page="blog with a widget column",
        catches='<div class="sidebar"><p>Text</p></div>',
        spares='<div class="side-effects"><p>Text</p></div>',
        words=split_names("sidebar rail aside sidenav seitenleiste randspalte marginalspalte"),
        tokens=split_names("widget widgets widget-area widgetarea widget_text widget-wrap widget-container"),
        pairs=split_names("side-bar barra-lateral colonne-droite colonna-destra right-col left-col right-column left-column right-rail left-rail"),
        roles=split_names("complementary"),
        tags=split_names("aside"),
    ),
    Rule(
        id="chrome.header",
        scope="outside",
        prose_limit_bytes=150,
        reason="The header of a site repeats on each page; one with prose in it is the header of the matter.",
        page="any site; business page whose hero is a header",
        catches='<div class="site-header"><p>Home</p></div>',
        spares='<header><h2>Rooms</h2><p>The rooms of the old mill look out over the river, which turns silver in the first light of the morning and '
        "stays so until noon, when the barges come down from the quarry with their loads of pale stone.</p></header>",
        words=split_names("masthead header kopfzeile kopfbereich entete cabecera cabecalho testata naglowek"),
        roles=split_names("banner"),
        tags=split_names("header"),
    ),
    Rule(
        id="chrome.footer",
        scope="outside",
        reason="Site footers and legal notices repeat on each page.",
        page="any site",
        catches='<div class="site-footer"><p>Imprint</p></div>',
        spares='<div class="foot-care"><p>Text</p></div>',
        words=split_names("footer copyright colophon legal disclaimer imprint fusszeile fussbereich fussleiste footnav stopka rodape piedepagina "
                          "impressum"),
        pairs=split_names("pied-page pied-de pie-pagina mentions-legales"),
        roles=split_names("contentinfo"),
        tags=split_names("footer"),
    ),
    Rule(
        id="chrome.related",
        scope="outside",
        reason="Boxes that advertise other pages.",
        page="news page with a box of related stories",
        catches='<div class="related-stories"><p>Text</p></div>',
        spares='<div class="relation"><p>Text</p></div>',
        words=split_names("related recommended recommendation recommendations recirc popular trending teasers outbrain taboola mostread promo promos "
                          "aehnliche empfehlungen relacionados relacionadas correlati similaires polecane "
                          "promotion upsell crosssell"),
        pairs=split_names("most-read most-popular read-more read-next you-may also-like up-next more-stories see-also recent-posts latest-posts latest-news"),
    ),
    Rule(
        id="chrome.consent",
        scope="outside",
        reason="Consent, sign-up and payment overlays speak of the site, not of the page's matter.",
        page="news page with a consent dialog",
        catches='<div id="cookie-notice"><p>We use cookies</p></div>',
        spares='<div class="cookies-recipe-title"><p>Cookie dough</p></div>',
        words=split_names(
            "cookie rgpd dsgvo lgpd rodo infolettre boletin "
            "cookie consent gdpr paywall newsletter subscribe subscription signup signin login register popup modal overlay "
            "lightbox onetrust optin lightbox toast snackbar alertbar"
        ),
        pairs=split_names("sign-up sign-in log-in opt-in mailing-list aviso-cookies banner-cookies bandeau-cookies cookies-banner cookies-bar"),
        roles=split_names("dialog alertdialog alert"),
        tags=split_names("dialog"),
    ),
    Rule(
        id="chrome.social",
        scope="outside",
        prose_limit_bytes=300,
        reason="Share and follow bars.",
        page="blog article with a share bar",
        catches='<div class="social-links"><p>Share</p></div>',
        spares='<div class="socialism"><p>Text</p></div>',
        words=split_names("teilen partager compartir compartilhar condividi udostepnij share sharing social sharedaddy addtoany addthis socials sharebar"),
    ),
    Rule(
        id="chrome.advert",
        scope="outside",
        prose_limit_bytes=600,
        reason="Advertisements.",
        page="news page with ad slots between paragraphs",
        catches='<div class="advert"><p>Buy</p></div>',
        spares='<div class="adverse"><p>Text</p></div>',
        words=split_names("werbung anzeige publicite publicidad publicidade pubblicita reklama ad ads advert adverts advertisement advertising sponsor sponsored adsense dfp adslot adunit"),
    ),
    Rule(
        id="chrome.comments",
        scope="outside",
        reason="Readers' comments are not the page's own content; they are kept apart.",
        page="blog with a comment thread",
        catches='<div id="comments"><p>First!</p></div>',
        spares='<div class="commentary"><p>Text</p></div>',
        words=split_names("kommentare commentaires comentarios commenti komentarze yorumlar comments disqus respond commentlist"),
        pairs=split_names("comment-list comment-form comment-respond comment-section comments-area"),
    ),
    Rule(
        id="chrome.form",
        scope="outside",
        reason="Forms ask the reader for something.",
        page="page with a search form and a contact form",
        catches="<form><p>Your name</p></form>",
        spares="<fieldset><p>Text</p></fieldset>",
        tags=split_names("form"),
    ),
    Rule(
        id="chrome.byline",
        scope="outside",
        reason="Tag clouds and author boxes are about the page, not of it.",
        page="blog article with an author box",
        catches='<div class="author-box"><p>About the author</p></div>',
        spares='<div class="authority"><p>Text</p></div>',
        pairs=split_names("author-box author-bio author-info about-author tag-cloud tags-links post-tags entry-meta post-meta article-meta post-navigation nav-links"),
    ),
)  # fmt: skip
