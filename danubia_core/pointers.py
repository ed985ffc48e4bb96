"""Lines that send the reader to other pages: "Read also: …" between paragraphs, "Related" above a list of links.

Told by their first words, which newsrooms use over and over, and by their links. The words alone cut nothing: a
sentence that begins with them and has no link, or goes on in prose, is text.
"""

from __future__ import annotations

from typing import Any, Final

from danubia_core.handlers.lines import count_bytes
from danubia_core.nodes import Break, Heading, Image, Item, Link, List, Paragraph, Quote, Strong, Tree

MAX_POINTER_BYTES: Final = 500
LINK_SHARE_PERCENT: Final = 55  # of what follows the words, unless a colon stands between
LED_SHARE_PERCENT: Final = 80  # lines and items after a title such as "Related" go where links are this much of them
MAX_TITLE_CHARS: Final = 60  # longer than any of the phrases with what may follow it in a title
TITLE_REST_BYTES: Final = 4  # a title is the words and at most a colon

# By language: what stands before a link to another page. Lower case.
PHRASES: Final[dict[str, str]] = {
    "en": "read also|also read|read more|read next|read:|related:|related article|related stories|related story|"
    "related posts|related content|related reading|you may also like|you might also like|more on this|more from|"
    "recommended reading|recommended for you|don't miss|must read|keep reading|continue reading|further reading:|"
    "more stories|see also:|most read|what to read next|up next|editor's picks",
    "de": "lesen sie auch|lies auch|auch interessant|mehr zum thema|mehr dazu|das könnte sie auch|das könnte dich|"
    "das könnte ihnen|das könnte sie|schon gelesen|zum weiterlesen|weiterlesen|lesen sie mehr|passend dazu|"
    "weitere artikel|ähnliche artikel|mehr aus|lesetipp|lese-tipp|siehe auch:|empfehlungen der redaktion",
    "fr": "lire aussi|à lire aussi|a lire aussi|à lire également|a lire également|lire également|lire la suite|"
    "voir aussi|sur le même sujet|à voir aussi|vous aimerez aussi|articles similaires|en savoir plus",
    "es": "lea también|lee también|lea además|leer también|te puede interesar|le puede interesar|puede interesarte|"
    "también te puede|quizás te interese|vea también|mira también|ver también|lea más|leer más|noticias relacionadas|"
    "artículos relacionados|también lee|seguir leyendo",
    "pt": "leia também|leia mais|leia ainda|veja também|veja mais|saiba mais|confira também|veja ainda|"
    "notícias relacionadas|artigos relacionados|você também pode gostar|continue lendo",
    "it": "leggi anche|leggi tutto|leggi di più|potrebbe interessarti|ti potrebbe interessare|vedi anche|"
    "articoli correlati|approfondisci|per approfondire",
    "nl": "lees ook|lees meer|lees verder|bekijk ook|zie ook:|gerelateerde artikelen|ook interessant",
    "pl": "czytaj też|czytaj także|czytaj również|czytaj więcej|czytaj dalej|przeczytaj także|przeczytaj też|"
    "przeczytaj również|zobacz też|zobacz także|zobacz również|polecamy|warto przeczytać|dowiedz się więcej",
    "cs": "čtěte také|čtěte dále|čtěte více|přečtěte si|mohlo by vás zajímat|související články",
    "sv": "läs också|läs även|läs mer|läs vidare|se också",
    "da": "læs også|læs mere|se også",
    "no": "les også|les mer|se også",
    "fi": "lue myös|lue lisää|katso myös",
    "hu": "olvassa el|olvasd el|ez is érdekelheti|kapcsolódó cikk|további cikkek",
    "ro": "citește și|citiți și|citeste si|citește mai mult|vezi și",
    "tr": "ayrıca bakınız|bunu da oku|ilginizi çekebilir|ayrıca oku|devamını oku|ilgili haberler",
    "el": "διαβάστε επίσης|διαβάστε ακόμα|διαβάστε ακόμη|δείτε επίσης|δείτε ακόμα|διαβάστε περισσότερα",
    "ru": "читайте также|читайте ещё|читайте еще|читать также|смотрите также|материалы по теме|по теме:|"
    "вам может быть интересно|подробнее:",
    "uk": "читайте також|читайте ще|дивіться також|матеріали за темою",
    "ar": "اقرأ أيضا|اقرأ أيضًا|اقرأ أيضاً|اقرأ المزيد|إقرأ أيضا|شاهد أيضا|شاهد أيضًا|مواضيع ذات صلة|قد يهمك",
    "fa": "بیشتر بخوانید|همچنین بخوانید|مطالب مرتبط",
    "he": "קראו גם|קראו עוד|אולי יעניין אתכם",
    "hi": "यह भी पढ़ें|ये भी पढ़ें|और पढ़ें|इसे भी पढ़ें",
    "bn": "আরও পড়ুন|আরো পড়ুন|আরও পড়ুন",
    "id": "baca juga|baca selengkapnya|lihat juga|artikel terkait|simak juga",
    "vi": "xem thêm|đọc thêm|có thể bạn quan tâm|tin liên quan|bài viết liên quan",
    "th": "อ่านเพิ่มเติม|อ่านต่อ|ข่าวที่เกี่ยวข้อง|บทความที่เกี่ยวข้อง",
    "zh": "延伸阅读|延伸閱讀|相关阅读|相關閱讀|相关文章|相關文章|相关新闻|相關新聞|推荐阅读|推薦閱讀|更多阅读|看更多",
    "ja": "関連記事|あわせて読みたい|合わせて読みたい|こちらもおすすめ|関連リンク|おすすめ記事",
    "ko": "관련기사|관련 기사|함께 읽으면|함께 보면|추천 기사",
}


def _index() -> dict[str, tuple[str, ...]]:
    """Group the phrases by their first two characters."""
    found: dict[str, list[str]] = {}
    for phrases in PHRASES.values():
        for phrase in phrases.split("|"):
            found.setdefault(phrase[:2], []).append(phrase)
    return {start: tuple(sorted(set(phrases), key=len, reverse=True)) for start, phrases in found.items()}


_BY_START: Final = _index()


def cut_pointers(tree: Tree) -> int:
    """Cut the lines and lists that send the reader elsewhere; return the bytes cut."""
    return _cut(tree.children)


def _cut(blocks: list[Any]) -> int:
    cut = 0
    keep: list[Any] = []
    led = False  # a line of pointing words stands before: links after it go with it
    for block in blocks:
        kind = type(block)
        if kind is Paragraph or kind is Heading:
            size, leads = _judge_line(block, led=led)
            if size:
                cut += size
                led = led or leads
                continue
        elif kind is List and led and _is_links(block):
            cut += count_bytes(block.children)
            continue
        elif kind in (List, Item, Quote):
            cut += _cut(block.children)
            if not block.children:
                continue
        led = False
        keep.append(block)
    if len(keep) < len(blocks):
        blocks[:] = keep
    return cut


def _judge_line(line: Paragraph | Heading, *, led: bool) -> tuple[int, bool]:
    """Return the bytes of a line that goes (0: it stays), and whether the links after it go, too."""
    if _is_plain(line.children):
        return 0, False
    words, links, first, closed = _measure(line.children)
    if type(line) is Paragraph and _is_pager(line):
        return words, False
    phrase = _find_phrase(first)
    if phrase and words <= MAX_POINTER_BYTES:
        rest = words - len(phrase.encode())
        is_title = rest <= TITLE_REST_BYTES and not links
        if is_title or (links and (closed or links * 100 >= rest * LINK_SHARE_PERCENT)):
            return words, is_title or type(line) is Heading
    is_led = led and type(line) is Paragraph and links and links * 100 >= words * LED_SHARE_PERCENT
    return (words, True) if is_led else (0, False)


def _is_plain(children: list[Any]) -> bool:
    """Whether a line cannot point anywhere: text alone, and too long for a title."""
    return len(children) == 1 and type(children[0]) is str and len(children[0]) > MAX_TITLE_CHARS


def _is_pager(paragraph: Paragraph) -> bool:
    """Whether a line is a row of page numbers: nothing but links and numbers, and most of the links numbers."""
    links = numbers = 0
    for child in paragraph.children:
        if type(child) is Link:
            links += 1
            numbers += len(child.children) == 1 and type(child.children[0]) is str and child.children[0].isdecimal()
        elif type(child) is str:
            if any(character.isalpha() for character in child):
                return False
        elif type(child) is not Break and type(child) is not Strong:
            return False
    return numbers >= 2 and numbers * 2 >= links


def _is_links(node: Any) -> bool:
    """Whether a list holds nothing but links."""
    for child in node.children:
        if type(child) in (Item, List):
            if not _is_links(child):
                return False
        elif type(child) in (Paragraph, Heading):
            words, links, _, _ = _measure(child.children)
            if links * 100 < words * LED_SHARE_PERCENT:
                return False
        else:
            return False
    return True


def _find_phrase(text: str) -> str:
    for phrase in _BY_START.get(text[:2], ()):
        if text.startswith(phrase):
            return phrase
    return ""


def _measure(children: list[Any]) -> tuple[int, int, str, bool]:
    """Return bytes of text and of link text, the first words in lower case, whether a colon stands before the links."""
    words = links = 0
    first = ""
    closed = False
    stack = [(child, False) for child in reversed(children)]
    before = ""
    while stack:
        node, linked = stack.pop()
        if type(node) is str:
            size = len(node.encode("utf-8", "replace"))
            words += size
            if linked:
                if not links:
                    closed = before.rstrip().endswith((":", "：", ">", "»", "→", "|"))
                links += size
            if len(first) < 40:
                first += node
            before = node
        elif type(node) in (Image, Break):
            continue
        else:
            inner = linked or type(node) is Link
            stack.extend((child, inner) for child in reversed(getattr(node, "children", ())))
    return words, links, first.lstrip(" \u00a0►▶→>»•-–—*👉").lower(), closed
