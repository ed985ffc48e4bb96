"""Words and names that metadata is found by: tables, no logic."""

from __future__ import annotations

import re
from typing import Final

AUTHOR_NAMES: Final = (  # meta elements that name the author, surest first
    "author", "article:author", "article:author_name", "og:author", "og:article:author", "parsely-author",
    "sailthru.author", "citation_author", "citation_authors", "dc.creator", "dcterms.creator",
    "dc.creator.personalname", "cxenseparse:author", "bc:authors", "byl", "creator", "dc:creator", "rbauthors",
    "article.author", "authors", "byline",
)  # fmt: skip
PUBLISHED_NAMES: Final = (  # meta elements that give the day of publication, surest first
    "article:published_time", "og:article:published_time", "og:published_time", "article:published",
    "og:publish_date", "datepublished", "citation_publication_date", "citation_online_date", "parsely-pub-date",
    "sailthru.date", "pubdate", "publishdate", "publish-date", "publish_date", "published_date", "published-date",
    "publication_date", "publicationdate", "article.published", "article_date_original", "article:post_date",
    "originalpublicationdate", "rnews:datepublished", "date-pub", "cxenseparse:recs:publishtime",
    "cxenseparse:publishtime", "cxenseparse:recs:articlefirstpublished", "dc.date.issued", "dcterms.issued",
    "dcterms.created", "dc.date.created", "dcterms.date", "dc.date", "displaydate", "ptime", "gentime",
    "prism.publicationdate", "citation_date", "bt:pubdate", "publish_time", "published_at", "firstpublished",
    "dc:created", "dc:date", "datecreated", "date_created", "created", "article:created", "article_publish_date",
    "video:release_date", "uploaddate", "date", "ms.date", "w-published-date", "published", "releasedate",
    "og:pubdate",
)  # fmt: skip
CHANGED_NAMES: Final = (  # meta elements that give the day of the last change
    "article:modified_time", "og:updated_time", "datemodified", "og:modified_time", "dcterms.modified",
    "dc.date.modified", "last-modified", "lastmod", "last_modified", "updated_time", "modified",
    "article:updated_time", "revised",
)  # fmt: skip

AUTHOR_WORDS: Final = frozenset(  # in a class, for who wrote the page
    (
        "auteur author authorname authors autor autore autoren byline bylines contributor contributors redakteur "
        "verfasser writer"
    ).split()
)
USER_WORDS: Final = frozenset(  # in a class, for who wrote a post
    "bigusername nickname poster username usernick".split()
)
NOT_AUTHOR_WORDS: Final = frozenset(  # in a class, for what stands about an author, or about other people
    (
        "avatar badge bio biography caption comment comments count credit desc description email follow icon image "
        "images img job level login menu photo pic picture rank related role search signature social stats "
        "thumb thumbnail twitter"
    ).split()
)
DATE_WORDS: Final = frozenset(  # in a class, for a date
    (
        "byline data date dateline datetime datum fecha meta metadata postdate posted pubdate publish published time "
        "timestamp"
    ).split()
)
NOT_DATE_WORDS: Final = frozenset(  # in a class, for dates of something else
    "comment comments copyright countdown event expiry picker read reading related".split()
)
CHANGED_WORDS: Final = frozenset(  # in a class, for the day of the last change
    "datemodified edited lastmod modified update updated".split()
)
PROFILE_WORDS: Final = frozenset(  # in a class, for boxes about a member
    "extras joined membership postprofile profile userdetails userextras userinfo userstats".split()
)
ZONE_WORDS: Final = frozenset(  # in a class, for boxes of other pages and other people's words
    (
        "carousel comment commentlist comments cookie disqus footer latest menu nav navigation newsletter popular "
        "promo recirculation recommendations recommended related replies reply sidebar teaser teasers trending"
    ).split()
)

BY: Final = (  # words before a name, in 30 languages
    "written and edited by", "medically reviewed by", "reported by", "written by", "words by", "posted by",
    "published by", "story by", "article by", "started by", "asked by", "created by", "text by", "author", "by",
    "escrito por", "publicado por", "redactado por", "autor", "autora", "por", "écrit par", "rédigé par",
    "publié par", "auteur", "par", "geschrieben von", "ein artikel von", "verfasst von", "eingestellt von",
    "artikel von", "beitrag von", "text von", "autorin", "von",
    "scritto da", "pubblicato da", "autore", "geschreven door", "door", "skrevet af", "skriven av", "skrevet av",
    "av", "kirjoittanut", "napsal", "napsala", "autor článku", "napisał", "napisała", "автор", "авторы", "текст",
    "автор статьи", "yazan", "yazar", "írta", "szerző", "scris de", "συντάκτης", "tác giả", "oleh", "penulis", "作者",
    "文", "记者", "記者", "撰文", "编辑", "著者", "執筆者", "執筆", "글", "작성자",
    "بقلم", "كتب", "الكاتب", "نویسنده", "מאת", "लेखक",
    "ผู้เขียน", "เขียนโดย", "โดย",
)  # fmt: skip
WRITTEN_BY: Final = (  # words that say it outright, so that they count anywhere in a page
    "written by", "words by", "story by", "article by", "reported by", "geschrieben von", "verfasst von",
    "écrit par", "rédigé par", "escrito por", "redactado por", "scritto da", "geschreven door", "skrevet af",
    "skrevet av", "skriven av", "автор", "текст", "napisał", "napisała", "napsal", "napsala", "scris de", "yazan",
    "írta", "作者", "撰文", "執筆", "執筆者", "글", "بقلم", "נכתב על ידי", "लेखक", "เขียนโดย", "tác giả", "ditulis oleh",
)  # fmt: skip

_CHANGED = (  # speak of a change, or of another event than publication
    "last post|latest|received|submitted|accepted|joined|registered|expires?|updated?|modified|revised|reviewed|edited",
    "aktualisiert|geändert|mis à jour|mise à jour|modifié|actualizado|actualización|modificado|aggiornat[oa]",
    "atualizad[oa]|bijgewerkt|gewijzigd|opdateret|uppdaterad|oppdatert|päivitetty|zaktualizowano|aktualizacja|aktualizováno|frissítve",
    "actualizat|güncelleme|güncellendi|обновлено|изменено|оновлено|cập nhật|diperbarui",
)
_CHANGED_UNSPACED = "更新|修改|修订|수정|업데이트|تحديث|به‌روز|עודכן|अपडेट|แก้ไข|อัปเดต|ενημέρωση"
CHANGED_LINE: Final = re.compile(rf"\b(?:{'|'.join(_CHANGED)})\b|{_CHANGED_UNSPACED}", re.I)

ORIGINAL_STEMS: Final = (  # one of them is in every text that `ORIGINAL_LINE` finds
    "riginally ", "irst p", "irst a", "rstmals ", "rsprünglich ", "ublié ", "riginalmente", "riginariamente",
    "orspronkelijk ", "первые ", "ierwotnie ", "初出", "首",
)  # fmt: skip
ORIGINAL_LINE: Final = re.compile(  # speaks of the first publication, where a later day is shown as well
    r"\b(?:(?:originally|first) (?:published|posted|appeared)|erstmals veröffentlicht|ursprünglich veröffentlicht|"
    r"publié (?:initialement|à l['’]origine)|publicado originalmente|pubblicato originariamente|"
    r"oorspronkelijk gepubliceerd|впервые опубликован\w*|pierwotnie opublikowan\w*)\b|初出|首发于|首次发布",
    re.I,
)

PARTICLES: Final = frozenset(  # lower-case words inside names and lists of names
    "de da do dos das di del della van von der den ter la le el al bin ibn and und et y e of the "
    "& für i och og en with".split()
)
NOBODY: Final = frozenset(  # what systems write where no author is set
    "admin administrator author webmaster root user unknown anonymous null none undefined guest editor staff default "
    "superuser wpadmin siteadmin contributor team publisher".split()
)
_NOT_IN_NAMES = (
    "comments?|share|follow|subscribe|read|min|minutes?|ago|posts?|posted|published|views?|more|about|contact|home|sign|log",
    "reply|profile|articles?|today|yesterday|updated|copyright|click|your|our|you|we|this|that|is|are|was|how|what|why|when",
)
MONTH: Final = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?"
NOT_A_NAME: Final = re.compile(
    rf"^(?:mon|tue|wed|thu|fri|sat|sun|via|guide|review|news|blog|editorial)$|^{MONTH} ?\d|\d \w|\w \d|\.$|"
    rf"\b(?:{'|'.join(_NOT_IN_NAMES)})\b|[!?…]|https?:",
    re.I,
)
AFTER_NAME: Final = re.compile(  # a date, a place or a site's name after a name
    r"\s*(?:[|•·—–<]|\s-\s|,?\s(?:on|am|le|el|il|em|den|op)\s(?=\S{0,12}\s?\d)|,?\s(?:in|at|for)(?:\s|$)|"
    rf"(?i:,?\s(?:last )?(?:updated|published|posted)\s)|\s(?=\d{{1,2}}[./: ])|\b(?:19|20)\d\d\b|"
    rf"(?i:\s(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? \d)|(?i:\s{MONTH},? \d)).*$",
    re.S,
)
