/** Words that say the same about orders, accounts and appointments, a group a line. What is in no group says only itself. */
const SAME = `
cancel cancellation stornier stornieren storniert stornierung annuler annulation cancelar cancelacion annullare annulleren
refund reimburse repay repaid reimbursement erstatten erstattet erstattung rückerstattung rembourser remboursement remboursé reembolso reembolsar rimborso rimborsare terugbetaling terugbetalen reembolsado
return returned send-back zurückgeben zurückgegeben rückgabe zurücksenden zurückschicken retourner retourné retour devolver devolucion restituire reso terugsturen teruggestuurd devolução
buy bought purchase kauf kaufen gekauft acheter achat comprar compra comprare acquisto kopen aankoop
pay paid payment pays bezahlen bezahlt zahlen zahlung gezahlt payer paiement payé payez pagar pago pagare pagamento pagato betalen betaald betaling pagamento cost costs price charge charged fee kosten kostet preis gebühr coûte coûter coût prix frais cuesta coste precio costo costa prezzo kost prijs custo custa preço charges
ship shipped shipping sent send dispatch versand verschickt versenden verschicken geschickt expédier expédition expédié envoyer envoyé enviar envian enviamos envio enviado spedire spedizione verzenden verzending leave leaves
deliver delivered delivery liefern liefert geliefert lieferung livrer livraison livré entregar entrega consegnare consegna leveren levering
begin begins start starts beginnen beginnt starten startet commencer commence empezar iniziare beginnt começar beginning
end ends endet enden finish terminer terminar finire eindigen
open opens opened opening offen geöffnet öffnet öffnen ouvert ouvrir abierto aperto geopend aberto
closed close closes geschlossen schließt fermé fermer cerrado chiuso gesloten fechado
change changed modify altered alter ändern geändert änderung changer modifier cambiar cambiare wijzigen alterar
exchange exchanged swap umtauschen umgetauscht umtausch échanger échange intercambio scambiare ruilen trocar
product item article artikel produkt ware article artículo articulo articolo artikel artigo
parcel package paket päckchen colis paquete pacco pakket pacote
order orders bestellung bestellen auftrag commande commander pedido pedidos ordine bestelling encomenda
customer customers client kunde kunden kundin cliente klant
email mail e-mail
phone telephone telefon téléphone teléfono telefono telefoon
number nummer numéro número numero
store shop geschäft laden filiale magasin boutique tienda negozio winkel loja
team staff support service
free costless kostenlos gratis gratuit gratuite gratuito gratuita kostenfrei
immediately instantly at-once straightaway sofort umgehend immédiatement inmediatamente subito direct imediatamente
automatically automatisch itself automatiquement
approve approved approval agree agrees genehmigung genehmigen
need needs needed required require requires necessary nötig brauchen braucht benötigen benötigt nécessaire necesario necessario nodig
material made consists consist
expire expires expiry abgelaufen läuft
valid gültig gilt gelten valable valido geldig
bag luggage piece
price-match match
file files record records
help assist assistance hilfe helfen aide aider ayuda ayudar aiuto hulp ajuda
problem problems issue issues trouble difficulty difficulties
quick quickly fast rapid rapidly schnell rapide rápido veloce snel
big large
find locate found
show shown shows display displayed
register registered registration enrol enroll
keep hold keeps
often frequently
usually normally generally
about roughly approximately around etwa ungefähr environ
lose lost missing
replace replaced replacement substitute
damage damaged damages
reason reasons cause
choose chosen choice select selected
finish finished complete completed
website site
login log
colour color
amount sum total
limit cap maximum
country countries land
abroad overseas foreign
person people
document documents paper papers
trip journey travel travels
book booked booking bookings reserve reserved reservation reservations
safe secure
answer answers answered reply replies respond
ask asks asked
speak talk
additional extra further
fill complete
rate rates
bicycle bike bikes
car vehicle auto wagen
repair-shop workshop garage
room rooms zimmer
guarantee-period warranty
working business
status state
address adresse adresses dirección indirizzo adres endereço
defect defects defective faulty
broken break
photo picture foto image
verify verified verifying verification prove
top-up top topped
withdraw withdrawing withdrawal withdrawals
transfer transfers überweisung
card cards karte carte tarjeta carta kaart cartão
block blocked lock locked sperren gesperrt
steal stolen stole
repair repaired fix fixed reparatur repariert
delete deleted erase erased remove removed gelöscht löschen
renew renewed renews renewal verlängert
qualify qualifies eligible
benefit benefits advantage
unlimited endless
allowed allow permitted erlaubt autorisé permitido permesso toegestaan
ready available verfügbar disponible disponibile beschikbaar
leave-room check-out
include included inclusive inbegriffen inclus incluido incluso
exclude excluded excluding ausgenommen
cover covers covered abgedeckt
method methods way
holder owner
discount off rabatt remise descuento sconto korting desconto
invoice bill rechnung facture factura fattura factuur fatura
same-day sameday
pick picked collect collected abholen abgeholt
move moved reschedule rescheduled postpone verschieben
appointment appointments termin
notice notification
subscription subscriptions abonnement abo
account konto compte cuenta conto rekening conta
wrong incorrect false falsch
try tries attempt attempts versuch versuche
happen happens
reach reached contact contacted erreichen erreichbar
time times zeit
enough sufficient genug suffisant
existing exists exist
kind type types sort
other another different andere anderen anderer autre autres otros altri andere outros
wait waits warten
within innerhalb innert dans binnen entro
after nach après después dopo na depois
before vor avant antes prima voor
until till bis jusque hasta fino tot até
over above more-than exceeding über
under below less-than unter
first erste ersten erster premier première primer primero prima eerste primeiro
last letzte letzten letzter dernier dernière último ultimo laatste
same gleich gleichen même mismo stesso zelfde mesmo
half hälfte moitié mitad metà helft metade
new neu neue neuen neuer nouveau nouvelle nuevo nueva nuovo nuova nieuw nieuwe novo nova
`;

/** Words that a text can do without, or have more of, and still say the same. Not those that deny, limit or generalise. */
const EMPTY = `
a an the this that these those it its they them their theirs he she his her him we us our ours you your yours i me my mine one ones who whom whose which what where when why how
is are was were be been being am do does did done doing have has had having will would shall should can could may might must
of to in on at by for with from as into onto about than then so and or but because therefore thus also too if while whenever although though however there here
please just simply easily directly again still yet already even now today
once told afterwards later done given gave got getting bring brings brought receive receives received receiving arrive arrives arrived long soon
make makes made take takes taken taking took give gives given go goes come comes put let lets tell tells told say says said see find want like use uses used using possible able possibility
happy glad sure note thing things case cases way ways place placed places set okay
information details detail yes well both either neither be up out
able allowed
bekommen erhalten erhält bekommt ankommen kommt lange
der die das den dem des ein eine einen einem einer eines und oder aber auch als wie wo wann was wer wenn falls dass weil denn dann da dort hier ist sind war waren sein wird werden wurde wurden worden hat haben hatte kann können konnte darf dürfen muss müssen soll sollen sollte mag möchte möchten will wollen
ich du er sie es wir ihr ihnen ihre ihren ihrem ihrer ihres unser unsere unseren unserem unserer mein meine dein man sich uns euch mich mir dich dir ihm ihn
in im an am auf aus bei beim mit von vom zu zum zur für durch um ab bitte einfach gerne gern noch schon möglich eben
reçoit recevoir recevez arrive arriver longtemps
le la les un une des du de et ou mais aussi que qui quoi dont où quand comment est sont été être sera seront a ont avoir avait peut peuvent pouvez pouvons pouvoir doit doivent devez je tu il elle nous vous ils elles on se ce cet cette ces son sa ses leur leurs notre nos votre vos mon ma mes au aux en y sur sous par pour avec dans possible merci lors
recibe recibir llega llegar
el los las unos unas y o pero también que quien donde cuando como es son ser fue será está están haber ha han puede pueden puedes poder debe deben yo tú él ella nosotros usted ustedes ellos se su sus nuestro nuestra nuestros mi mis tu tus al del en con por para de lo le les si posible
riceve ricevere arriva arrivare arrivano
il lo gli i uno una e o ma anche che chi dove quando come è sono essere era sarà ha hanno avere può possono puoi potere deve devono io lui lei noi voi loro si suo sua suoi nostro nostra mio mia al alla del della dei delle nel nella con per di da su se possibile cui sulla sul
krijgen krijgt aankomen lang
het een en of maar ook dat die dit deze wie waar wanneer hoe is zijn was waren worden wordt werd heeft hebben had kan kunnen kunt kun mag mogen moet moeten ik jij je hij zij ze wij we u uw jullie ons onze mijn zijn haar hun in op aan van met voor door bij naar te om als dan er mogelijk
receber recebe chega chegar
o os as um uma uns umas e ou mas também que quem onde quando como é são ser foi será está estão ter tem têm pode podem poder deve devem eu ele ela nós vós eles elas se seu sua seus suas nosso nossa meu minha ao à do da dos das no na nos nas em com por para de possível
`;

/** The opposite of each other. */
const OPPOSITES = `open closed|begin end|before after|over under|first last|allowed forbidden|possible impossible|include exclude|valid expire|new existing`;

/** The days and months, which are no names to be guessed: each is only itself, in each language. */
const DAYS = `
monday mondays montag montags lundi lunes lunedi lunedì maandag segunda
tuesday tuesdays dienstag dienstags mardi martes martedi martedì dinsdag terça
wednesday wednesdays mittwoch mittwochs mercredi miércoles mercoledi mercoledì woensdag quarta
thursday thursdays donnerstag donnerstags jeudi jueves giovedi giovedì donderdag quinta
friday fridays freitag freitags vendredi viernes venerdi venerdì vrijdag sexta
saturday saturdays samstag samstags samedi sábado sabato zaterdag
sunday sundays sonntag sonntags dimanche domingo domenica zondag
weekend weekends wochenende wochenenden
`;
export const MONTHS = `
january januar janvier enero gennaio januari janeiro
february februar février febrero febbraio februari fevereiro
march märz mars marzo maart março
april avril abril aprile
mai mayo maggio mei maio
june juni juin junio giugno junho
july juli juillet julio luglio julho
august août agosto augustus
september septembre septiembre settembre setembro
october oktober octobre octubre ottobre outubro
november novembre noviembre novembro
december dezember décembre diciembre dicembre dezembro`;

/** Words of a kind, of which another could stand in the same place: none of them is like another. A group a line. */
const OF_A_KIND = `
second seconds sekunde sekunden seconde secondes segundo segundos secondo secondi seconden
minute minutes minuten minuto minutos minuti minuut
hour hours stunde stunden heure heures hora horas ora ore uur
day days tag tage tagen täglich daily jour jours día días giorno giorni dag dagen dia dias
week weeks weekly woche wochen wöchentlich semaine semaines semana semanas settimana settimane weken
month months monthly monat monate monaten monatlich mois mes meses mese mesi maand maanden mês
year years yearly annual annually jahr jahre jahren jährlich an ans année années año años anno anni jaar jaren ano anos
morning morgen|afternoon nachmittag|evening abend|night nacht|tomorrow|yesterday gestern|today heute
post mail-service|letter brief lettre carta|courier kurier|sms|app|website online|chat|fax|counter
cash bargeld espèces efectivo contanti contant dinheiro|cheque check scheck|bank|paypal|klarna|gift|crypto|credit kredit|debit|cashback
gold|silver|bronze|platinum|premium|standard|basic|guest guests gast gäste|member members mitglied mitglieder
student students studierende|senior seniors|child children kind kinder enfant niño bambino kinderen criança|adult adults erwachsene|business|private privat|parent parents eltern
manager|technician|driver|owner|agent|admin
pin|password passwort|passport|selfie|licence license|signature
red rot|blue blau|green grün|black schwarz|white weiß|brown braun|small|large|medium
pending|delivered-status|processed|active|expired|draft
voucher vouchers gutschein gutscheine bon|bonus|coupon|gift-wrap|reward|guarantee guaranteed garantie garantiert garantía garanzia|insurance insured
full whole ganz ganze|double twice-as|triple
always|never|forbidden verboten
`;

const plain = (word: string): string => word.normalize("NFKD").replace(/\p{M}/gu, "");

const ENDINGS = /(?:ations?|ungen|ung|ments?|ings?|ies|ied|ened|ed|es|ers?|en|em|ly|al|s|e|n|t)$/u;
/** The beginning of a word that its forms share. */
function stemOf(word: string): string {
  const small = plain(word);
  if (small.length < 5) return small.length === 4 ? small.replace(/[es]$/, "") : small;
  const cut = small.replace(ENDINGS, (ending) => (small.length - ending.length < 3 ? ending : ""));
  return cut.replace(/([bdfglmnprt])\1$/, "$1").replace(/y$/, "i");
}

const linesOf = (text: string): string[][] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
const NOTHING = new Set(EMPTY.trim().split(/\s+/).map(plain));
const GROUPS = new Map<string, string>();
/** The same by the beginnings of their words: some of them are other words. */
const BY_STEM = new Map<string, string>();
for (const words of [
  ...linesOf(SAME),
  ...linesOf(DAYS),
  ...linesOf(MONTHS),
  ...linesOf(OF_A_KIND.replaceAll("|", "\n")),
])
  for (const word of words) {
    const [form, stem] = [plain(word), stemOf(word)];
    if (!GROUPS.has(form)) GROUPS.set(form, `=${words[0]!}`);
    if (stem.length > 2 && !BY_STEM.has(stem)) BY_STEM.set(stem, `=${words[0]!}`);
  }
const NEVER = new Map<string, Set<string>>();
for (const pair of OPPOSITES.split("|")) {
  const [one, other] = pair.split(" ").map((word) => meaningOf(word)) as [string, string];
  NEVER.set(one, (NEVER.get(one) ?? new Set()).add(other));
  NEVER.set(other, (NEVER.get(other) ?? new Set()).add(one));
}

/** What a word says, as far as that is known: the same text for words of one group. Empty if it says nothing. @param word in small letters */
export function meaningOf(word: string): string {
  const small = plain(word);
  const known = GROUPS.get(small);
  if (known !== undefined) return known;
  if (NOTHING.has(small)) return "";
  const stem = stemOf(small);
  return GROUPS.get(stem) ?? BY_STEM.get(stem) ?? stem;
}

/** Whether one of the words says the opposite of this one. */
export const isOpposed = (meaning: string, words: ReadonlySet<string>): boolean =>
  [...(NEVER.get(meaning) ?? [])].some((other) => words.has(other));
