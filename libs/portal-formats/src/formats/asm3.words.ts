/**
 * ASM3's words in the languages that it has, in small letters: what it fills its tables with, by the lists of
 * translations in its sources (src/asm3/locales, November 2026). A shelter can change most of them.
 */

/** An answer, and a flag. */
export const YES = `yes, نعم, да, da, ano, ja, ναί, sí, jah, oui, כן, igen, ya, sì, taip, tak, sim, áno, ใช่, evet, 是`;
export const NO = `no, كلا, не, ne, nein, όχι, ei, non, לא, nem, tidak, nei, nee, nie, não, нет, nej, ไม่, hayır, 否`;

export const SEXES = {
  female: `female, женски, ženka, samice, weiblich, θηλυκό, hembra, emane, femelle, נקבה, nőstény, femmina, patelė, hunn,
    vrouwelijk, samica, fêmea, самка, ženska, hona, เพศเมีย, dişi, 母`,
  male: `male, мъжки, samec, männlich, αρσενικό, macho, isane, mâle, זכר, hím, maschio, patinas, hann, mannelijk, samiec,
    самец, moški, hane, เพศผู้, erkek, 公`,
};

/** By our own words, as the others here. */
export const SIZES = {
  xlarge: `very large, много едро, veoma velika, velmi velké, sehr groß, πολύ μεγάλο, muy grande, väga suur, très grand,
    גדול מאוד, nagyon nagy, molto grande, labai didelis, svært stor, erg groot, bardzo duży, muito grande,
    очень большой, veľmi veľké, mycket stor, ใหญ่มาก, çok büyük, 非常大`,
  large: `large, едро, velika, velké, groß, μεγάλο, grande, suur, grand, גדול, nagy, didelis, stor, groot, duży, большой,
    veľké, ใหญ่, büyük, 大型`,
  medium: `medium, средно, srednje, střední, mittel, μεσαίο, medio, keskmine, moyen, בינוני/ת, közepes, vidutinis, middels,
    gewoon, średni, médio, средняя, stredné, medel, กลาง, orta, 中型`,
  small: `small, малко, mala, malé, klein, μικρό, pequeño, väike, petit, קטן, kicsi, piccolo/a, mažas, liten, mały,
    pequeno, маленький, เล็ก, küçük, 小型`,
};

/** Rough is `wire`; corded has no word of ours. */
export const COATS = {
  short: `short, късо, kratka, krátké, kurz, κοντό, corto, lühike, court, קצרה, rövid, trumpaplaukis, kort, krótka, curto,
    короткая, krátka, สั้น, kısa, 短`,
  long: `long, дълго, dugacka, dlouhé, lang, μακρύ, largo, pikk, ארוכה, hosszú, lungo, ilgaplaukis, długa, longo,
    длинный, dlhá, zapisnik, lång, ยาว, uzun, 長毛`,
  wire: `rough, твърдо, gruba, hrubé, rau, σκληρό, áspero, karm, rugueux, גסה, érdes, brusco, šiurkštus, grov, ruw,
    szorstka, жесткошёрстный, drsný, sert, 粗毛`,
  curly: `curly, къдраво, vlnité, kraus, μπουκλες, rizado, lokkis, frisé, מקורזלת, göndör, arricciato, garbanotas,
    krøllete, gekruld, kręcona, encaracolado, кудрявый, vlnitá, krullig, kıvırcık, 捲毛`,
  hairless: `hairless, безкосместо, bezsrstý, haarlos, χωρίς τρίχωμα, sin pelo, karvutu, sans poils, nu, נטול שיער, kopasz,
    senza peli, beplaukis, hårløs, naakt, nagi, sem pelo, лысая, bezsrsté, hårlös, tüysüz, 無毛`,
};

/** By what they make of an animal: `available` is in the care of the shelter. */
export const MOVEMENTS = {
  sold: `adoption, осиновяване, adopce, vermittlung, υιοθεσία, adopción, loovutus, adoptio, אימוץ, örökbefogadás,
    adozione, atidavimas, adopsjon, adoptie, adopcja, adoção, передача, adopcia, posvojitev, evlat edinme, 認養`,
  gone: `transfer, прехвърляне, přesun, übertragung, μεταβίβαση, trasladar, ülekanne, transfert, העברה, trasferimento,
    perkėlimas į kitą prieglaudą, overføring, overplaatsing, przeniesienie, transferir, перевод, premiestnenie,
    överföring, 轉所, escaped, избягало, pobjegla, uprchlé, entlaufen, δραπέτευσε, escapó, lahti pääsenud, echappé(e),
    echappé, ברח, megszökött, lepas, fuggito, pabėgo, rømt, ontsnapt, uciekł/a, fugiram, fugiu, сбежало, utečené,
    pobegla, bortsprungen, kaçak, 逃脫, reclaimed, върнат, znovu přijato, zurückgefordert, ζητήθηκε επανάκτηση,
    reclamado, tagastatud, réclamé, הוחזר לבעלים, visszakövetelt, reclamato, atsiimtas, gjenforent, teruggeëist,
    odzyskane, reivindicados, возвращенное, odobraté, reklamerad, geri i̇steme, 已由原飼主領回, stolen, откраднат,
    ukradena, ukradeno, entwendet, κλεμμένο, robado, varastatud, volé, נגנב, lopott, tercuri, rubato/a, pavogtas,
    stjålet, gestolen, skradzione, roubados, roubado, украдено, ukradnuté, stulet, çalıntı, 遭竊, released to wild,
    пуснато обратно на свобода, pustena u divljinu, vypuštěné do přírody, ausgewildert, απελευθέρωση στη φύση,
    reinsertado, vabadusse lastud, remis en liberté, שוחרר לטבע, szabadon engedve, restituito alla natura,
    paleistas į laisvę, satt ut i det fri, losgelaten, uwolniony do środowiska naturalnego, libertados na natureza,
    devolvido para a natureza, выпущено в дикую природу, vypustené do prírody, izpuščena v naravo, släppts fri,
    doğaya salınmış, 野放, permanent foster, постоянен приемен стопанин, stálý pěstoun, dauerpflege,
    acogida permanente, famille d'accueil permanente, אומנה קבועה, állandó befogadó, pastovus laikinas globėjas,
    permanent fosterhjem, fat definitiva, постоянная передержка, kalıcı yuva, 永久代養, tnr,
    програма "кастрирай и върни", ces, csr, biv, ccl`,
  pending: `reservation, резервиране, rezervacija, rezervace, reservierung, κράτηση, reserva, broneeritud, réservation,
    שריון, foglalás, reservasi, prenotazione, reservasjon, reservering, rezerwacja, резервирование, rezervácia,
    tingning, rezervasyon, 認養保留, trial adoption, пробно осиновяване, zkušební přijetí, adoption auf probe,
    δοκιμαστική υιοθεσία, adopción a prueba, adoption d'essai, en période d'essai d'adoption, אימוץ ניסיון,
    adozione in prova, bandomasis atidavimas, prøveadopsjon, proefadoptie, adoção experimental,
    передача на испытательный срок, prova-på adoption, deneme sahiplendirmesi, 試養`,
  available: `none, няма, ništa, nic, keiner, κανένα, ninguno, puudub, aucun(e), אין, kikerülők, tidak ada, nessuno, joks,
    ingen, geen, brak, nenhum, отсутствует, žiadne, golob, inget, ไม่มี, hiçbiri, 無, foster, приемен дом,
    dočasná péče, pflege, ανάδοχος, acogida, kasupereks hakkamine, famille d'accueil, אומנה, ideiglenes befogadó,
    terasuh, affidare, laikina globa namuose, fosterhjem, pleegverzorging, przybrany, fat, передержка,
    domáca opatera, akuthem, koruyucu aile, 代養, retailer, търговец, prodejce, händler, πωλητής λιανικής, vendedor,
    edasimüüja, revendeur, חנות, kiskereskedő, pedagang eceran, rivenditore, tarpininkas, selger, handelaar,
    sprzedawca, lojista, продавец, sprostredkovateľ, återförsäljare, satıcı, 合作業者, cancelled reservation,
    отмяна на резервация, okazana rezervacija, zrušená rezervace, stornierte reservierung, ακύρωση κράτησης,
    reserva cancelada, tühistatud broneering, réservation annulée, ביטול שריון, törölt foglalás,
    prenotazione cancellata, atšaukta rezervacija, avlyst reservasjon, geannuleerde reservering,
    anulowanie rezerwacji, снятое резервирование, zrušená rezervácia, preklicana rezervacija, avbokad tingning,
    i̇ptal rezervasyon, 已取消的認養保留`,
};
