"""Paragraphs in twenty-two languages, written for this project, and the legacy encodings each was served in.

`TEXTS` maps a language to one paragraph; `ENCODINGS` maps it to Python codec names. Every paragraph can be encoded in
each of its encodings without loss (Vietnamese after `split_tones`).
"""

import unicodedata

TEXTS = {
    "de": "Die Fähre legt jeden Morgen um halb sieben ab, auch wenn über dem Fluss noch dichter Nebel hängt. Früher trug der "
    "Fährmann eine Glocke bei sich, heute genügt ein müdes Signalhorn. Wer rüber möchte, stellt sich an die große Brücke und "
    "wartet, bis die Lichter am anderen Ufer wieder grün werden. Für Schüler und ältere Gäste kostet die Überfahrt nichts. Im "
    "Spätherbst fällt der Wasserstand, und dann fährt das Schiff nur noch zur vollen Stunde.",
    "fr": "La boulangère ouvre sa porte avant l'aube, lorsque la rue est encore déserte et que l'odeur du pain chaud réveille "
    "déjà les chats du quartier. Elle pétrit la pâte à la main, comme le faisait sa grand-mère, et refuse les machines trop "
    "bruyantes. Après huit heures, il ne reste généralement qu'une brioche un peu brûlée, réservée au facteur. L'été, elle "
    "prépare aussi des tartes à la crème où les pêches débordent de tous côtés.",
    "es": "El faro se construyó sobre una peña que el mar golpea todo el año, y su guardián apuntaba cada noche cuántos barcos "
    "pasaban. Según los cuadernos, el invierno más duro fue aquel en que ningún pescador salió durante cuarenta días. Mañana se "
    "abrirá la exposición con aquellos papeles; también habrá una pequeña muestra de lámparas y señales. ¿Quién diría que un "
    "montón de números cabría en una canción?",
    "pt": "A estação de comboios ficou fechada durante dez anos, até que os vizinhos decidiram transformá-la numa biblioteca. Não "
    "há bilhetes nem horários, mas as pessoas continuam a chegar à mesma hora, por hábito. No salão, as crianças leem debaixo do "
    "relógio, que nunca mais voltou a andar. Às sextas-feiras alguém traz pão, azeite e uma porção de histórias sobre as "
    "máquinas que passavam por ali.",
    "pl": "Na targu przy rzece sprzedaje się jabłka, miód i świeży chleb, a najdłuższa kolejka stoi zawsze po gęsie jaja. Pani "
    "Źródlińska przyjeżdża co sobotę wozem, bo twierdzi, że koń zna drogę lepiej niż jakakolwiek mapa. Gdy pada śnieg, "
    "sprzedawcy rozpalają ogień w żelaznych koszach i częstują herbatą każdego, kto się zatrzyma. Późną jesienią pojawiają się "
    "też grzyby, suszone na nitkach.",
    "cs": "Starý mlýn za vesnicí už třicet let nemele, ale jeho kolo se po každém dešti samo roztočí. Děti si tam chodí hrát, "
    "přestože jim to rodiče zakazují, a říkají, že uvnitř žije vodník s mokrými kapsami. Letos obec konečně našla peníze na "
    "opravu střechy. Příští jaro by se měla otevřít malá výstava o pečení chleba, při níž návštěvníci uvidí, jak těžká byla "
    "práce mlynáře.",
    "hu": "A hegyi vasút csak nyáron közlekedik, mert télen a hó elzárja az utat a felső állomás előtt. A kalauz minden utasnak "
    "elmeséli, hogyan építették az alagutakat csákánnyal és türelemmel. Az ablakból őzeket, rókákat és néha egy öreg medvét is "
    "látni, amely a sínek mellett szedi a málnát. Az út másfél óráig tart, és a végén mindenki kap egy bögre forró, mézes tejet "
    "a büfében.",
    "ru": "В старом порту по утрам слышно, как скрипят лебёдки и перекликаются грузчики. Рыбаки возвращаются до рассвета и сразу "
    "же раскладывают улов на мокрых досках, чтобы покупатели могли выбрать лучшее. Зимой вода у причала замерзает, и лодки "
    "вытаскивают на берег, где их чинят до самой весны. Каждую субботу здесь играет небольшой оркестр, а дети кормят чаек "
    "хлебом, который остался от завтрака.",
    "uk": "Пасічник живе на краю лісу й знає кожну галявину, де навесні зацвітає перша верба. Його вулики стоять рядами під "
    "липами, і в спеку їхнє гудіння чути аж біля дороги. Щороку він їздить на ярмарок, щоб обміняти мед на нові рамки, цвяхи та "
    "ґрунтовну книжку про погоду. Діти з села приходять допомагати, бо кожному дістається шматок стільника і цікава історія.",
    "bg": "Реката край града замръзва рядко, но когато това се случи, всички излизат да я видят. Старият воденичар твърди, че "
    "ледът пее през нощта и че по гласа му се познава каква ще бъде пролетта. На площада продават печени кестени и греяно вино, "
    "а учителката води децата да мерят колко е дебел снегът. След седмица всичко се стопява и водата пак тръгва към мелниците.",
    "el": "Το καΐκι φεύγει από το λιμάνι πριν ανατείλει ο ήλιος και γυρίζει όταν οι καμπάνες χτυπούν μεσημέρι. Στην προκυμαία "
    "περιμένουν πάντα δύο γάτες και ένας μανάβης που θέλει να μάθει τα νέα του πελάγους. Το καλοκαίρι έρχονται επισκέπτες από "
    "μακριά, μα τον χειμώνα το νησί ανήκει ξανά στους λίγους κατοίκους του. Τότε ανάβουν τα τζάκια και διηγούνται ιστορίες για "
    "παλιά ναυάγια.",
    "tr": "Çarşının sonundaki küçük saatçi dükkânı yıllardır aynı köşede duruyor ve içeride yüzlerce saat hep birlikte tıkırdıyor. "
    "Usta, gözlüğünü alnına kaldırıp müşterinin getirdiği eski saati ışığa tutar, sonra gülümseyerek başını sallar. Öğleden sonra "
    "çırağı çay getirir, ikisi de yağmurun sesini dinler. Kışın günler kısaldığında dükkân erken kapanır, fakat vitrindeki lamba "
    "gece boyunca yanar.",
    "he": "הספרייה הקטנה בקצה הרחוב נפתחת רק בשעות אחר הצהריים, כשהילדים חוזרים מבית הספר. הספרנית מכירה כל אחד בשמו ויודעת איזה "
    "ספר ישמח אותו ביום גשום. על המדף העליון עומדים יומנים ישנים של מלחים, ובהם ציורים של דגים, סערות ואיים רחוקים. פעם בשבוע "
    "מתאספים כולם סביב השולחן הגדול ומקשיבים לסיפור חדש.",
    "ar": "يفتح الخباز دكانه قبل شروق الشمس، فتملأ رائحة الخبز الطازج الأزقة القديمة ويستيقظ عليها الجيران. يقول إن سر العجين في "
    "الصبر وفي ماء البئر الذي خلف البيت. وفي أيام الشتاء يجلس الأطفال قرب الفرن ليستمعوا إلى حكايات عن القوافل والبحر والجبال "
    "البعيدة. وعندما يحل المساء يوزع ما تبقى من الأرغفة على المارة دون أن يسأل عن الثمن.",
    "lt": "Senasis švyturys stovi ant kopos, kurią vėjas kasmet po truputį stumia į jūrą. Prižiūrėtojas kiekvieną vakarą užlipa "
    "šimtu dvidešimčia laiptų, įžiebia šviesą ir užrašo, kokie laivai praplaukė. Žiemą jam padeda kaimynė, atnešanti karštos "
    "žuvienės ir naujienų iš miestelio. Vaikai tiki, kad per audrą žibintas pats ima dainuoti, todėl niekada neužmiega anksčiau, "
    "negu išgirsta jo balsą.",
    "lv": "Vecais tirgus laukums pamostas agri, kad zemnieki atved kāpostus, medu un tikko ceptu rupjmaizi. Pie strūklakas vienmēr "
    "sēž akordeonists, kurš zina visas dziesmas, bet nekad nespēlē vienu un to pašu divreiz. Ziemā ļaudis pulcējas ap katlu ar "
    "zirņu zupu, sasilda rokas un pārrunā, cik bieza šogad būs ledus kārta ezerā. Pēcpusdienā laukums atkal kļūst kluss.",
    "vi": "Buổi sáng, người lái đò chèo thuyền qua sông khi sương còn phủ kín hai bờ. Ông biết rõ từng khúc nước xoáy và thường kể "
    "cho khách nghe chuyện những mùa lũ năm xưa. Trẻ con đi học ngồi ở mũi thuyền, còn các bà đi chợ xếp rau và cá vào giữa. Đến "
    "chiều, khi nắng nhạt dần, tiếng mái chèo lại vang lên đều đều giữa những bụi tre xanh.",
    "th": "ตลาดริมน้ำเปิดตั้งแต่เช้ามืด พ่อค้าแม่ค้าพายเรือมาจอดเรียงกันใต้สะพานไม้เก่า กลิ่นกาแฟและขนมครกลอยไปถึงถนนใหญ่ คุณยายคนหนึ่งขายมะม่วงจากสวนของตัวเองมานานกว่าสี่สิบปี "
    "และยังจำชื่อลูกค้าได้ทุกคน เมื่อฝนตกทุกคนจะช่วยกันกางผ้าใบแล้วนั่งเล่าเรื่องสนุกจนฝนหยุด ตอนบ่ายน้ำจะลดลงและเรือทุกลำก็กลับบ้าน",
    "ja": "港の朝はとても早い。漁師たちは暗いうちに船を出し、日が昇るころには網いっぱいの魚を持って戻ってくる。市場では威勢のいい声が響き、"
    "近所の料理屋が一番よい魚を選んでいく。冬になると海が荒れるので、船は浜に上げられ、男たちは小屋で網を繕いながら昔話をする。"
    "子どもたちはその話を聞くのが好きで、学校が終わると走って集まってくる。春の祭りには、村のみんなが提灯を持って灯台まで歩く。",
    "zh-cn": "老城的书店开在一条窄窄的巷子里,门口挂着一盏旧灯笼。店主每天清晨扫完落叶,就把新到的书摆在窗前,让路过的人随意翻看。"
    "下雨的时候,附近的学生常来这里躲雨,顺便听他讲从前船队过江的故事。冬天炉子上总烧着一壶热茶,谁来都可以喝一杯。"
    "到了春天,院子里的梅花开了,他便写几张字条,夹在书里送给客人。",
    "zh-tw": "山腳下的茶園每年春天都會請村裡的人來幫忙採茶,從清晨一直忙到太陽下山。老師傅說,好茶要看天氣,也要看做茶人的耐心。"
    "傍晚時分,大家圍著爐火聽他講從前挑茶過橋的故事,孩子們總是聽得忘了回家。等到第一批茶葉烘乾,屋子裡便充滿香氣,"
    "路過的旅客都忍不住停下腳步,進來喝一杯熱茶。",
    "ko": "바닷가 마을의 작은 우체국은 아침마다 갈매기 소리로 하루를 시작한다. 우체부는 자전거를 타고 언덕길을 오르며 편지와 소포를 나누어 주고, "
    "혼자 사는 할머니 댁에서는 꼭 차를 한 잔 마신다. 겨울에 눈이 많이 내리면 배가 들어오지 못해 편지가 며칠씩 늦어지기도 한다. "
    "그래도 사람들은 서두르지 않고, 등대에 불이 켜지는 저녁이면 창가에 모여 이야기를 나눈다.",
}

ENCODINGS = {
    "de": ("cp1252",),
    "fr": ("cp1252",),
    "es": ("cp1252",),
    "pt": ("cp1252",),
    "pl": ("cp1250", "iso8859_2"),
    "cs": ("cp1250", "iso8859_2"),
    "hu": ("cp1250", "iso8859_2"),
    "ru": ("cp1251", "koi8_r", "iso8859_5", "cp866"),
    "uk": ("cp1251", "koi8_u"),
    "bg": ("cp1251",),
    "el": ("cp1253", "iso8859_7"),
    "tr": ("cp1254",),
    "he": ("cp1255",),
    "ar": ("cp1256", "iso8859_6"),
    "lt": ("cp1257",),
    "lv": ("cp1257",),
    "vi": ("cp1258",),
    "th": ("cp874",),
    "ja": ("cp932", "euc_jp", "iso2022_jp"),
    "zh-cn": ("gb18030",),
    "zh-tw": ("big5",),
    "ko": ("cp949",),
}

TONES = "\u0300\u0301\u0303\u0309\u0323"


def split_tones(text: str) -> str:
    r"""Write each tone mark after its letter, the only way windows-1258 can spell Vietnamese.

    >>> split_tones("nước") == "nươ\u0301c"
    True
    """
    out = []
    for char in text:
        parts = unicodedata.normalize("NFD", char)
        tones = "".join(c for c in parts if c in TONES)
        out.append(unicodedata.normalize("NFC", "".join(c for c in parts if c not in TONES)) + tones)
    return "".join(out)


def encode_text(text: str, codec: str) -> tuple[str, bytes]:
    """Encode what the codec can spell, and drop what it cannot: (the text as it can be read back, the bytes)."""
    if codec == "cp1258":
        text = split_tones(text)
    data = text.encode(codec, "ignore")
    return data.decode(codec), data
