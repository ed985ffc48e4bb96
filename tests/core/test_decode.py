"""Bytes to text: labels, detection, damage."""

import base64

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.texts import ENCODINGS, TEXTS, encode_text
from danubia_core.controls import CONTROLS, clean_controls
from danubia_core.decode import decode_html, replace_surrogates

RUSSIAN, GERMAN, JAPANESE = TEXTS["ru"], TEXTS["de"], TEXTS["ja"]
PAIRS = [(lang, codec) for lang, codecs in ENCODINGS.items() for codec in codecs]
LABELS = {
    "big5": "big5",
    "cp874": "tis-620",
    "cp932": "Shift_JIS",
    "cp949": "ks_c_5601-1987",
    "euc_jp": "x-euc-jp",
    "gb18030": "gb2312",
    "iso2022_jp": "iso-2022-jp",
    "koi8_r": "koi8-r",
    "koi8_u": "koi8-u",
}


def label_of(codec: str) -> str:
    return LABELS.get(
        codec, codec.replace("cp8", "ibm8").replace("cp12", "windows-12").replace("iso8859_", "iso-8859-")
    )


@pytest.mark.parametrize(("lang", "codec"), PAIRS)
@pytest.mark.parametrize("where", ["header", "meta"])
def test_every_encoding_reads_back_by_its_label(lang, codec, where):
    text, data = encode_text(TEXTS[lang], codec)
    meta = f"<meta charset={label_of(codec)}>" if where == "meta" else "<p>"
    content_type = f"text/html; charset={label_of(codec)}" if where == "header" else "text/html"
    decoded = decode_html(meta.encode() + data, content_type)
    assert decoded.text == meta + text
    assert (decoded.source, decoded.replaced) == (where, 0)


@pytest.mark.parametrize(("lang", "codec"), PAIRS)
def test_every_encoding_is_detected_in_a_page_that_names_its_language(lang, codec):
    text, data = encode_text(TEXTS[lang], codec)
    head = f'<!DOCTYPE html><html lang="{lang}"><body><p class="intro">'
    decoded = decode_html(head.encode() + data, None)
    assert decoded.text == head + text
    assert (decoded.source, decoded.replaced) == ("detected", 0)


@pytest.mark.parametrize(
    ("content_type", "charset"),
    [
        ("text/html; charset=ISO-8859-1", "windows-1252"),
        ('text/html;charset="us-ascii"', "windows-1252"),
        ("text/html; Charset = 'latin1'", "windows-1252"),
        ("text/html; charset=gb2312", "gbk"),
        ("text/html; charset=sjis; x=y", "shift_jis"),
        ("text/html; charset=x-user-defined", "x-user-defined"),
        ("text/html; charset=utf8", "utf-8"),
    ],
)
def test_labels_mean_what_the_encoding_standard_says(content_type, charset):
    assert decode_html(b"plain", content_type) == ("plain", charset, "header", 0)


@pytest.mark.parametrize("content_type", [None, "text/html", "text/html; charset=", "text/html; charset=klingon"])
def test_ascii_without_a_known_label_is_utf8_by_default(content_type):
    assert decode_html(b"plain", content_type) == ("plain", "utf-8", "default", 0)


@pytest.mark.parametrize(
    "markup",
    [
        '<meta charset="koi8-r">',
        "<META CHARSET=koi8-r/>",
        "<meta name=x charset = 'koi8-r' >",
        '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">',
        "<meta content='text/html;charset=koi8-r' http-equiv=content-type>",
        '<?xml version="1.0" encoding="koi8-r"?>',
        '<!-- <meta charset="utf-8"> --><meta charset="koi8-r">',
        '<!--> <meta charset="koi8-r">',
        "<a title='<meta charset=\"big5\">'><meta charset='koi8-r'>",
        '<meta charset="no-such"><meta charset="koi8-r">',
        '<meta name="generator" content="text/html; charset=big5"><meta charset="koi8-r">',
        "<metadata charset=big5></metadata><meta charset=koi8-r>",
        "<style>" + "p { margin: 0 }\n" * 600 + '</style><meta charset="koi8-r">',
    ],
)
def test_meta_elements_are_found_as_browsers_find_them(markup):
    decoded = decode_html(markup.encode() + RUSSIAN.encode("koi8-r"), "text/html")
    assert decoded[1:] == ("koi8-r", "meta", 0)
    assert decoded.text == markup + RUSSIAN


def test_the_header_outranks_the_meta_element():
    page = b'<meta charset="windows-1252">' + RUSSIAN.encode("cp1251")
    assert decode_html(page, "text/html; charset=windows-1251").text.endswith(RUSSIAN)


def test_utf16_in_a_meta_element_means_utf8():
    assert decode_html(f"<meta charset=utf-16>{GERMAN}".encode())[1:] == ("utf-8", "meta", 0)


@pytest.mark.parametrize(
    ("bom", "codec", "charset"),
    [
        (b"\xef\xbb\xbf", "utf-8", "utf-8"),
        (b"\xff\xfe", "utf-16-le", "utf-16le"),
        (b"\xfe\xff", "utf-16-be", "utf-16be"),
    ],
)
@given(text=st.text(st.characters(exclude_categories=["Cs"])))
def test_the_byte_order_mark_wins_over_every_label(bom, codec, charset, text):
    decoded = decode_html(bom + text.encode(codec), "text/html; charset=koi8-r")
    assert decoded == (clean_controls(text), charset, "bom", text.count("\ufffd") if codec != "utf-8" else 0)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("lang", ["de", "ru", "zh-cn"])
def test_utf16_without_a_mark_is_told_by_its_nuls(codec, lang):
    page = f"<!DOCTYPE html><html><body><h1>{TEXTS[lang][:40]}</h1></body></html>"
    decoded = decode_html(page.encode(codec), "text/html; charset=utf-16")
    assert decoded.text == page
    assert decoded.charset == codec.replace("-le", "le").replace("-be", "be")


@pytest.mark.parametrize("content_type", ["text/html; charset=iso-8859-1", "text/html; charset=gbk", None])
@pytest.mark.parametrize("lang", ["de", "ru", "ja", "en"])
def test_bytes_that_read_as_utf8_are_utf8_whatever_the_label_says(content_type, lang):
    text = TEXTS.get(lang, "© 2009")
    assert decode_html(text.encode(), content_type) == (text, "utf-8", "detected", 0)


@pytest.mark.parametrize("content_type", ["text/html; charset=utf-8", None])
def test_utf8_that_the_bytes_contradict_gives_way_to_detection(content_type):
    page = b"<meta charset=utf-8><p>" + RUSSIAN.encode("cp1251")
    decoded = decode_html(page, content_type)
    assert decoded.text.endswith(RUSSIAN)
    assert decoded[1:] == ("windows-1251", "detected", 0)


def test_utf8_in_the_header_gives_way_to_a_meta_element_that_fits():
    page = b"<meta charset=koi8-u><p>" + RUSSIAN.encode("koi8-r")
    assert decode_html(page, "text/html; charset=utf-8")[1:] == ("koi8-u", "meta", 0)


def test_a_legacy_label_that_the_bytes_contradict_gives_way_to_detection():
    page = b"<p>" + JAPANESE.encode("euc_jp")
    decoded = decode_html(page, "text/html; charset=shift_jis")
    assert decoded.text == "<p>" + JAPANESE
    assert decoded[1:] == ("euc-jp", "detected", 0)


@pytest.mark.parametrize("content_type", ["text/html; charset=utf-8", "text/html; charset=iso-8859-1", None])
def test_a_few_broken_bytes_leave_a_page_utf8_and_are_counted(content_type):
    words = GERMAN.split()
    words.insert(20, "BROKEN")
    data = " ".join(words).encode().replace(b"BROKEN", b"caf\xe9 \xff")
    decoded = decode_html(data, content_type)
    assert decoded.text == " ".join(words).replace("BROKEN", "caf\ufffd \ufffd")
    assert (decoded.charset, decoded.replaced) == ("utf-8", 2)


def test_replacement_characters_that_the_author_wrote_are_not_counted():
    assert decode_html((GERMAN + "\ufffd").encode() + b"\xff!").replaced == 1


@pytest.mark.parametrize("lost", [1, 2])
def test_a_sequence_cut_by_the_end_is_no_fault(lost):
    assert decode_html("ende: 日本".encode()[:-lost]) == ("ende: 日", "utf-8", "detected", 0)
    page = b"<meta charset=gb18030>" + "中文\U0001f600".encode("gb18030")
    assert decode_html(page[:-lost]).text.endswith("中文")
    assert decode_html(page[:-lost]).replaced == 0


def test_a_single_letter_at_the_end_of_ascii_is_latin_not_half_a_sequence():
    assert decode_html(b"<p>un caf\xe9")[:2] == ("<p>un café", "windows-1252")


def test_holes_of_windows_1252_are_controls_and_go_and_its_quotes_are_quotes():
    decoded = decode_html(b"\x93\x81\x94", "text/html; charset=iso-8859-1")
    assert decoded == ("“”", "windows-1252", "header", 0)


@pytest.mark.parametrize(("label", "codec"), [("hz-gb-2312", "hz"), ("iso-2022-kr", "iso2022_kr")])
def test_seven_bit_encodings_that_browsers_refuse_are_read(label, codec):
    text = {"hz": "茶园每年春天", "iso2022_kr": "바닷가 마을"}[codec]
    assert decode_html(text.encode(codec), f"text/html; charset={label}") == (text, label, "header", 0)


def test_terminal_escapes_are_not_japanese():
    page = "<pre>\x1b[31mred\x1b[0m costs $5</pre>"
    assert decode_html(page.encode()) == (page.replace("\x1b", ""), "utf-8", "default", 0)


@given(st.text(st.sampled_from(["a", "é", "日", *CONTROLS])))
def test_no_control_character_comes_out_of_utf8(text):
    assert decode_html(text.encode()).text == clean_controls(text)


@given(st.binary(max_size=2000), st.none() | st.text(max_size=40) | st.sampled_from(sorted(LABELS.values())))
@example(b"<meta charset=" * 300, "charset=")
@example(b"<a b=\"' " * 500 + b"\xff", None)
@example(b"<!--" * 1000 + b"\xff", None)
@example(b"\xff" * 70_000, None)
@example(base64.b64decode("G04kKUMOISEb"), None)
def test_any_bytes_decode_to_text_that_can_be_written(data, content_type):
    for header in (content_type, f"text/html; charset={content_type}"):
        decoded = decode_html(data, header)
        decoded.text.encode()
        assert decoded == decode_html(data, header)
        assert 0 <= decoded.replaced <= len(decoded.text) <= len(data)


@given(st.text(st.characters(exclude_categories=["Cs"])).filter(lambda text: not text.isascii()))
def test_any_text_survives_utf8(text):
    data = text.encode()
    if not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        assert decode_html(data).text == clean_controls(text)


@given(st.text(st.sampled_from(["a", "é", "日", "\n", *CONTROLS])))
def test_cleaned_text_holds_no_control_character_and_keeps_all_others_in_order(text):
    cleaned = clean_controls(text)
    assert not any(char in cleaned for char in CONTROLS)
    assert [c for c in cleaned if c in "aé日\n"] == [c for c in text if c in "aé日\n"]


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("plain\ttext\r\n", "plain\ttext\r\n"),
        ("mea\x00sured, twice\x08", "measured, twice"),
        ("page\x0cbreak", "page break"),
        ("3 \x96 4 \x93x\x94 \x81", "3 – 4 “x” "),
        ("sixty\ufffe-one\uffff \ufffd", "sixty-one \ufffd"),
    ],
)
def test_controls_go_and_misread_windows_quotes_come_back(text, cleaned):
    assert clean_controls(text) == cleaned
    assert decode_html(text.encode()).text == cleaned
    assert decode_html(text.encode("utf-16")).text == cleaned


@given(st.lists(st.sampled_from(["a", "日", "😀", "\ud800", "\udfff"])).map("".join))
def test_lone_surrogates_become_replacement_characters(text):
    replaced = replace_surrogates(text)
    replaced.encode()
    assert [c for c in replaced if c in "a日"] == [c for c in text if c in "a日"]


def test_text_without_surrogates_stays_as_it_is():
    assert replace_surrogates("日 😀") == "日 😀"
