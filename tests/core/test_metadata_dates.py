from __future__ import annotations

from datetime import date

import pytest

from danubia_core.metadata import extract_metadata
from danubia_core.metadata.calendar_words import find_days
from danubia_core.parse import parse_html

LATEST = date(2024, 6, 30)
STORY = "<p>The ferry leaves at seven and comes back at nine, unless there is fog on the river.</p>"


def date_of(head: str = "", body: str = "", *, url: str | None = None, lang: str = "en") -> str | None:
    markup = (
        f"<html lang={lang}><head><title>The ferry</title>{head}</head><body><h1>The ferry</h1>{body}{STORY}</body>"
    )
    return extract_metadata(parse_html(markup), url=url, latest=LATEST).date


def ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Published May 6, 2019 at 7:20 am"),
        ("en", "6 May 2019"),
        ("en", "Mon May 06 2019 07:20:00 GMT+0200"),
        ("en", "05/06/2019"),
        ("en-GB", "06/05/2019"),
        ("de", "Montag, 6. Mai 2019"),
        ("de", "06.05.2019, 07:20 Uhr"),
        ("fr", "Publié le 6 mai 2019"),
        ("es", "6 de mayo de 2019"),
        ("pt", "6 de maio de 2019"),
        ("it", "6 maggio 2019"),
        ("nl", "6 mei 2019"),
        ("ru", "6 мая 2019 г."),
        ("uk", "6 травня 2019"),
        ("pl", "6 maja 2019"),
        ("cs", "6. května 2019"),
        ("tr", "6 Mayıs 2019"),
        ("fi", "6. toukokuuta 2019"),
        ("hu", "2019. május 6."),
        ("el", "6 Μαΐου 2019"),
        ("vi", "ngày 6 tháng 5 năm 2019"),
        ("id", "6 Mei 2019"),
        ("ar", "٦ مايو ٢٠١٩"),
        ("he", "6 במאי 2019"),
        ("hi", "6 मई 2019"),
        ("th", "6 พฤษภาคม 2562"),
        ("zh", "2019年05月06日 07:20"),
        ("zh-TW", "民國108年5月6日"),
        ("ja", "令和元年5月6日"),
        ("ko", "2019년 5월 6일"),
        (None, "6 toukokuuta 2019"),
    ],
)
def test_a_dateline_is_read_in_its_language(language: str | None, text: str) -> None:
    assert next(find_days(text, language=language, latest=LATEST)) == date(2019, 5, 6)
    assert date_of(body=f"<p>{text}</p>", lang=language or "''") == "2019-05-06"


@pytest.mark.parametrize(
    "text", ["May 2019", "2019-13-45", "1.2.3.2019", "31 February 2019", "6 May 1979", "6 May 2031"]
)
def test_what_is_no_plausible_day_is_no_date(text: str) -> None:
    assert list(find_days(text, language="en", latest=LATEST)) == []


@pytest.mark.parametrize(
    "head",
    [
        ld('{"@type": "NewsArticle", "datePublished": "2019-05-06T08:30:00+02:00", "dateModified": "2020-01-01"}'),
        ld('{"@graph": [{"@type": "WebSite"}, {"@type": "Article", "datePublished": "May 6, 2019"}]}'),
        ld('{"@type": "BlogPosting", "datePublished": 1557100800}'),
        '<meta property="article:published_time" content="2019-05-06T00:00:00Z">',
        '<meta name="citation_publication_date" content="2019/05/06">',
        '<meta name="pubdate" content="20190506">',
        '<meta itemprop="datePublished" content="2019-05-06">',
    ],
)
def test_declared_days_are_read(head: str) -> None:
    assert date_of(head) == "2019-05-06"


@pytest.mark.parametrize(
    "body",
    [
        '<time datetime="2019-05-06T07:00">some day</time>',
        '<span itemprop="datePublished" content="2019-05-06">today</span>',
        "<p>Put online on <time>6 May 2019</time> by the night desk</p>",
        '<footer class="entry-footer"><span class="post-date">May 6, 2019</span></footer>',
    ],
)
def test_shown_days_are_read(body: str) -> None:
    assert date_of(body=body) == "2019-05-06"


def test_the_day_in_the_address_is_read_and_may_be_earlier_than_the_declared_utc_day() -> None:
    assert date_of(url="https://example.org/2019/05/06/the-ferry") == "2019-05-06"
    declared = '<meta property="article:published_time" content="2019-05-07T02:41:00Z">'
    assert date_of(declared, url="https://example.org/2019/05/06/the-ferry") == "2019-05-06"


def test_an_earlier_day_by_the_heading_wins_over_the_day_of_an_import() -> None:
    declared = '<meta property="article:published_time" content="2023-11-20">'
    assert date_of(declared, "<p>May 6, 2019</p>") == "2019-05-06"
    assert date_of(declared, "<p>Received: May 6, 2019</p>") == "2023-11-20"


def test_scripts_give_no_date() -> None:
    assert date_of('<script>var banner = {"expires": "2021-01-31"};</script>') is None


def test_dates_of_comments_side_columns_and_other_pages_are_not_the_pages_own() -> None:
    aside = '<aside><time datetime="2021-01-31">31 January 2021</time></aside>'
    comment = '<div class="comment"><time datetime="2020-02-02">2 February 2020</time></div>'
    related = '<div class="related-posts"><p>3 March 2021</p></div>'
    assert date_of(body=aside + comment + related) is None


def test_a_day_of_change_is_the_last_resort() -> None:
    changed = '<meta property="article:modified_time" content="2020-02-02">'
    assert date_of(changed) == "2020-02-02"
    assert date_of(changed, "<p>Updated: 3 March 2021</p><p>6 May 2019</p>") == "2019-05-06"


def test_days_in_the_future_are_passed_over() -> None:
    head = '<meta name="date" content="2031-01-01">'
    assert date_of(head) is None
    assert date_of(head, "<p>6 May 2019</p>") == "2019-05-06"


def test_meta_of_an_answer_is_not_the_pages_date() -> None:
    answer = '<div itemprop="acceptedAnswer"><meta itemprop="dateCreated" content="2018-05-21"></div>'
    question = '<time itemprop="dateCreated" datetime="2014-02-04 13:02">12 years ago</time>'
    assert date_of(body=answer + question) == "2014-02-04"


def test_white_space_in_the_source_makes_no_date_longer() -> None:
    declared = '<meta name="date" content="2021-12-01">'
    assert date_of(declared, f"<p>\n{' ' * 60}6 May 2019\n{' ' * 60}</p>") == "2019-05-06"


def test_a_day_in_words_in_the_address_is_read() -> None:
    assert date_of(url="https://www.harbourcourier.example/blog/2019/may/06/the-ferry/") == "2019-05-06"


def test_the_day_at_the_heading_comes_before_days_in_the_story() -> None:
    markup = (
        "<title>The ferry</title><body><main><div>6 May 2019</div><h1>The ferry</h1>"
        "<p>Next crossing:</p><p>8 June 2020</p><p>9 June 2020</p></main>"
    )
    assert extract_metadata(parse_html(markup), url=None, latest=LATEST).date == "2019-05-06"


def test_the_day_of_first_publication_comes_before_the_day_that_is_shown() -> None:
    for words in ("This article was originally published on 6 May 2019", "Erstmals veröffentlicht am 6. Mai 2019"):
        assert date_of(body=f"<p>30 September 2022</p><p>{words} but has been revised since.</p>") == "2019-05-06"


def test_the_order_of_day_and_month_follows_the_days_that_are_written_out() -> None:
    shown, elsewhere = "<time>05-06-2019</time>", '<aside><time datetime="2019-06-05">June</time></aside>'
    assert date_of(body=shown) == "2019-05-06"
    assert date_of(body=shown + elsewhere) == "2019-06-05"


def test_the_day_a_member_joined_is_no_date_of_the_page() -> None:
    body = '<dl class="postprofile"><dd>11 Dec 2018</dd></dl><p class="author">6 May 2019</p>'
    assert date_of(body=body) == "2019-05-06"


def test_a_page_that_is_itself_a_newsletter_has_its_own_date() -> None:
    markup = (
        '<title>The ferry</title><section class="newsletter-page"><h1>The ferry</h1>'
        '<div class="newsletter-details"><p>6 May 2019</p></div></section>'
    )
    assert extract_metadata(parse_html(markup), url=None, latest=LATEST).date == "2019-05-06"


def test_a_change_anywhere_is_better_than_no_date_but_a_side_column_is_not() -> None:
    story = STORY * 60
    assert date_of(body=story + "<p>Last updated: 6 May 2019</p>") == "2019-05-06"
    changed = '<p>Last modified <time datetime="2019-05-06T07:20:00Z">3 years ago</time></p>'
    assert date_of(body=story + changed) == "2019-05-06"
    assert date_of(body=story + '<aside><time datetime="2019-05-06">3 years ago</time></aside>') is None
