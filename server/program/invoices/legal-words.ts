import type { Invoice, Treatment } from '#contract/invoices.ts'
import { withLanguage } from '#contract/language.ts'
import { invoiceWords } from '#contract/statement.ts'
import { listTerritory } from '../invoicing/vat-ids.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * The words of Directive 2006/112/EC, Art. 226 (10a) and (11a), in a language. Null where they are the English ones, or
 * where it isn't certain what they are: those are in English and in the account's language alone.
 */
type OfLanguage = { selfBilling: string | null; reverseCharge: string | null }

const DUTCH = { selfBilling: 'Factuur uitgereikt door afnemer', reverseCharge: 'Btw verlegd' }
const FRENCH = { selfBilling: 'Autofacturation', reverseCharge: 'Autoliquidation' }
const GERMAN = { selfBilling: 'Gutschrift', reverseCharge: 'Steuerschuldnerschaft des Leistungsempfängers' }
const GREEK = { selfBilling: 'Αυτοτιμολόγηση', reverseCharge: 'Αντίστροφη επιβάρυνση' }

/** By the seller's country; Ireland's are English, and Slovenia's reverse charge is. */
const OF_COUNTRY: Record<string, readonly OfLanguage[]> = {
  AT: [GERMAN],
  BE: [FRENCH, DUTCH],
  BG: [{ selfBilling: 'Самофактуриране', reverseCharge: 'Обратно начисляване' }],
  CY: [GREEK],
  CZ: [{ selfBilling: 'Vystaveno zákazníkem', reverseCharge: 'Daň odvede zákazník' }],
  DE: [GERMAN],
  DK: [{ selfBilling: 'Selvfakturering', reverseCharge: 'Omvendt betalingspligt' }],
  EE: [{ selfBilling: 'Endale arve koostamine', reverseCharge: 'Pöördmaksustamine' }],
  ES: [{ selfBilling: 'Facturación por el destinatario', reverseCharge: 'Inversión del sujeto pasivo' }],
  FI: [{ selfBilling: 'Itselaskutus', reverseCharge: 'Käännetty verovelvollisuus' }],
  FR: [FRENCH],
  GR: [GREEK],
  HR: [{ selfBilling: null, reverseCharge: 'Prijenos porezne obveze' }],
  HU: [{ selfBilling: 'Önszámlázás', reverseCharge: 'Fordított adózás' }],
  IT: [{ selfBilling: 'Autofatturazione', reverseCharge: 'Inversione contabile' }],
  LT: [{ selfBilling: 'Sąskaitų faktūrų išsirašymas', reverseCharge: 'Atvirkštinis apmokestinimas' }],
  LU: [FRENCH],
  LV: [{ selfBilling: 'Pašaprēķins', reverseCharge: 'Nodokļa apgrieztā maksāšana' }],
  MT: [{ selfBilling: null, reverseCharge: 'Inverżjoni tal-ħlas' }],
  NL: [DUTCH],
  PL: [{ selfBilling: 'Samofakturowanie', reverseCharge: 'Odwrotne obciążenie' }],
  PT: [{ selfBilling: 'Autofacturação', reverseCharge: 'Autoliquidação' }],
  RO: [{ selfBilling: null, reverseCharge: 'Taxare inversă' }],
  SE: [{ selfBilling: 'Självfakturering', reverseCharge: 'Omvänd betalningsskyldighet' }],
  SK: [{ selfBilling: 'Vyhotovenie faktúry odberateľom', reverseCharge: 'Prenesenie daňovej povinnosti' }],
}

/** Form 1 knew these countries, and no words of theirs for the reverse charge. */
const IN_FORM_1 = ['AT', 'BE', 'DE', 'FR', 'NL']

const ofCountry = (country: string) => OF_COUNTRY[listTerritory(country)[0]] ?? []

/** Returns the words that a document of this kind must contain: in English, and in the seller's country's languages. */
export function legalWords(kind: Invoice['kind'], country: string, form: Snapshot['form']): readonly string[] {
  const isKnown = form === 2 || IN_FORM_1.includes(listTerritory(country)[0])
  const own = isKnown ? ofCountry(country).flatMap(({ selfBilling }) => selfBilling ?? []) : []
  return [withLanguage('en', () => invoiceWords[kind]), ...own]
}

/** Returns how VAT applies, in the words of the seller's country; none where there are only English ones. */
export const countryTreatmentWords = (
  treatment: Treatment,
  country: string,
  form: Snapshot['form'],
): readonly string[] =>
  treatment === 'reverse-charge' && form === 2
    ? ofCountry(country).flatMap(({ reverseCharge }) => reverseCharge ?? [])
    : []
