import type { Invoice, Treatment } from '#contract/invoices.ts'
import { withLanguage } from '#contract/language.ts'
import { invoiceWords } from '#contract/statement.ts'
import { listTerritory } from '../invoicing/vat-ids.ts'
import { isSince, type Snapshot } from './snapshot.ts'

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

/**
 * Why a small business charges no VAT, in the words that its country asks for or uses. Countries of which that isn't
 * certain have the English words and those of the account's language alone.
 */
const SMALL_BUSINESSES: Record<string, readonly string[]> = {
  AT: ['Umsatzsteuerfrei aufgrund der Kleinunternehmerregelung (§ 6 Abs. 1 Z 27 UStG 1994)'],
  BE: [
    'Régime particulier de franchise des petites entreprises, TVA non applicable',
    'Bijzondere vrijstellingsregeling kleine ondernemingen, btw niet van toepassing',
  ],
  DE: ['Steuerbefreiung für Kleinunternehmer (§ 19 UStG)'],
  // from 2027 the rule is in another code, beside whose article this one may be named for a year
  FR: ['TVA non applicable, art. 293 B du CGI'],
  IT: ['Operazione senza applicazione dell’IVA ai sensi dell’art. 1, commi da 54 a 89, della legge n. 190/2014'],
  NL: ['Vrijgesteld van btw op grond van artikel 25 van de Wet op de omzetbelasting 1968'],
  PT: ['IVA – regime de isenção'],
}

/** Form 1 knew these countries, and no words of theirs for the reverse charge. */
const IN_FORM_1 = ['AT', 'BE', 'DE', 'FR', 'NL']

const ofCountry = (country: string) => OF_COUNTRY[listTerritory(country)[0]] ?? []

/** Returns the words that a document of this kind must contain: in English, and in the seller's country's languages. */
export function legalWords(kind: Invoice['kind'], country: string, form: Snapshot['form']): readonly string[] {
  const isKnown = isSince(2, form) || IN_FORM_1.includes(listTerritory(country)[0])
  const own = isKnown ? ofCountry(country).flatMap(({ selfBilling }) => selfBilling ?? []) : []
  return [withLanguage('en', () => invoiceWords[kind]), ...own]
}

/** Returns how VAT applies, in the words of the seller's country; none where there are only English ones. */
export function countryTreatmentWords(
  treatment: Treatment,
  country: string,
  form: Snapshot['form'],
): readonly string[] {
  if (treatment === 'reverse-charge' && isSince(2, form))
    return ofCountry(country).flatMap(({ reverseCharge }) => reverseCharge ?? [])
  return treatment === 'exempt' && isSince(3, form) ? (SMALL_BUSINESSES[country] ?? []) : []
}

/** Words of papers in the catalogues, and those that the forms before 3 have instead. */
const BEFORE_FORM_3: Record<string, string> = {
  'Factura rectificativa (facturación por el destinatario)': 'Nota de crédito (facturación por el destinatario)',
  'NIF del partner': 'Número fiscal del partner',
  'A storno di': 'Accredita',
  'Codice fiscale del partner': 'Numero fiscale del partner',
}

/** Returns a word of the catalogue as a form has it. */
export const wordOfForm = (word: string, form: Snapshot['form']): string =>
  isSince(3, form) ? word : (BEFORE_FORM_3[word] ?? word)
