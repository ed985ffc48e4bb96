"""What the golden pages are known to get wrong: page → fault → why. The one place for exceptions.

A fault is worded as test_goldens.find_faults words it. The tests hold the table to be exact: a new fault fails, and so
does a fault of this table that is gone.
"""

from __future__ import annotations

from typing import Final

FOREIGN: Final = "boxes named in the page's own language, or by a machine: no vocabulary knows them"
READ_ALSO: Final = "a line between paragraphs that leads to another page: one link after a few words reads as prose"
ACTION: Final = "a link or question that acts on the page, amid the content and without a telling name"
TAGLINE: Final = "the site's motto lies between its h1 and the posts, where other pages have their standfirst"
LAYOUT: Final = "a thread in layout tables whose classes tell nothing"
BANNER: Final = "a notice to editors in a table above the article"

KNOWN_FAULTS: Final[dict[str, dict[str, str]]] = {
    "article-ar-desert-wells": {
        "has: احصل على العدد الورقي": FOREIGN,
        "has: جميع الحقوق محفوظة": FOREIGN,
    },
    "article-pl-kolejka": {
        "has: Prześlij komuś, kto lubi stać na peronach.": FOREIGN,
    },
    "documentation-ja-kumo-api": {
        "has: このページは役に立ちましたか？": ACTION,
    },
    "forum-de-radio": {
        "has: Für alle, die noch warten, bis die Röhren warm sind": TAGLINE,
        "has: Alles auswählen": ACTION,
    },
    "forum-en-gardenbed": {
        "has: 1920×1440 412 KB": ACTION,
    },
    "forum-ru-samovar": {
        "has: Ответить с цитированием": LAYOUT,
        "has: Вода шумит, а чай молчит": LAYOUT,
        "has: Похожие темы": LAYOUT,
        "has: Где купить шишки для растопки": LAYOUT,
        "has: Вы не можете создавать новые темы": LAYOUT,
        "has: Движок форума собран из старых досок": LAYOUT,
    },
    "glossary-zh-tea": {
        "has: 终于知道锁喉不是感冒了。": FOREIGN,
    },
    "homepage-es-ayuntamiento": {
        "has: Declaración de accesibilidad": FOREIGN,
        "has: Visitas desde 2009": FOREIGN,
    },
    "listing-es-empleos": {
        "has: Te escribimos cuando aparezca algo parecido.": FOREIGN,
    },
    "listing-ko-markets": {
        "has: 이 화면의 정보에 만족하십니까?": FOREIGN,
    },
    "news-en-ferry-toll": {
        "has: Where does the mud come from?": READ_ALSO,
    },
    "product-de-regenhose": {
        "has: Vorschau 2": ACTION,
        "has: Auf den Merkzettel": ACTION,
    },
    "product-ja-tetsubin": {
        "has: 写真を拡大する": ACTION,
    },
    "qa-ja-tatami": {
        "has: 違反を報告する": FOREIGN,
    },
    "qa-pt-excel": {
        "has: Acompanhar respostas": FOREIGN,
        "has: Compartilhar resposta": FOREIGN,
        "has: Curso de planilhas em 7 dias": FOREIGN,
        "has: você aceita as regras da casa": FOREIGN,
    },
    "qa-ru-greenhouse": {
        "has: Приходят по четвергам": FOREIGN,
    },
    "recipe-en-flatbread": {
        "has: Print Recipe": ACTION,
    },
    "recipe-hi-baingan": {
        "has: मित्रों को भेजें": FOREIGN,
        "has: गुड़ वाली खीर": FOREIGN,
        "has: टिप्पणी करने के लिए पहले लॉग इन करें।": FOREIGN,
    },
    "recipe-tr-manti": {
        "has: Reklamı kapat": FOREIGN,
        "has: Yeşil mercimekli tutmaç": FOREIGN,
        "has: Bu tarife puan ver": FOREIGN,
        "has: Her cuma yeni bir tarif gönderelim.": FOREIGN,
        "has: Çerezleri hem kavanozda hem sitede saklıyoruz.": FOREIGN,
    },
    "wiki-es-catenaria": {
        "has: A este artículo le faltan imágenes.": BANNER,
    },
    "wiki-ko-stonebridge": {
        "has: [편집]": ACTION,
    },
}
