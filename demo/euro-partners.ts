import { composeIBAN } from 'ibantools'
import type { PayoutDetails } from '#contract/payout-settings.ts'

/** A partner of Harbor Analytics Europe. Days count back from today. */
export type Payee = {
  first: string
  last: string
  code: string
  joined: number
  country: string
  address: { addressLine: string; zipCode: string; city: string }
  vatId: string | null
  smallBusiness: boolean
  details: PayoutDetails
}

/** The first four; of the one without a VAT ID no invoice is issued. */
const FIRST = `
DE Anke Vogel|Köln|50668|Ursulaplatz 4|DE811907980|DE89370400440532013000
FR Margaux Petit|Lyon|69002|18 rue Mercière|FR83404833048|FR7630006000011234567890189
NL Bram de Wit|Utrecht|3511 AB|Oudegracht 112||NL91ABNA0417164300
DE Jonas Lindner|Leipzig|04109|Nikolaistraße 27||DE75512108001245126199`

/** Partners who joined when the program opened to more countries. */
const LATER = `
DE Hannes Brandt|Hamburg|20095|Lilienstraße 8
FR Camille Rousseau|Paris|75011|42 rue Oberkampf
NL Sanne Bakker|Rotterdam|3011 GZ|Wijnhaven 61
ES Lucía Navarro|Madrid|28004|Calle Fuencarral 73
BR Rafael Souza|São Paulo|01310-100|Avenida Paulista 1106
DE Katrin Seidel|Berlin|10999|Oranienstraße 34
US Emily Carter|Boston|02110|88 Broad Street
FR Julien Moreau|Nantes|44000|5 rue Crébillon
DE Tobias Krämer|München|80331|Sendlinger Straße 19
NL Daan Visser|Eindhoven|5611 EM|Kleine Berg 40
ES Javier Ortega|Valencia|46003|Calle de la Paz 21
FR Élodie Garnier|Bordeaux|33000|27 rue Sainte-Catherine
DE Miriam Hartwig|Stuttgart|70173|Calwer Straße 12
BR Beatriz Almeida|Rio de Janeiro|22070-011|Rua Barata Ribeiro 302
DE Lars Petersen|Kiel|24103|Holstenstraße 50
FR Thibault Lemoine|Lille|59800|14 rue Esquermoise
US Brian Foster|Chicago|60611|401 North Michigan Avenue
DE Ulrike Neumann|Dresden|01067|Wilsdruffer Straße 6
NL Femke Jansen|Groningen|9711 HN|Oude Ebbingestraat 25
ES Marta Iglesias|Sevilla|41004|Calle Sierpes 55
FR Nathalie Girard|Toulouse|31000|9 rue d’Alsace-Lorraine
DE Sebastian Roth|Frankfurt am Main|60313|Schillerstraße 30
DE Greta Winkler|Bremen|28195|Obernstraße 44
BR Thiago Ferreira|Curitiba|80020-300|Rua XV de Novembro 621
FR Antoine Lefèvre|Strasbourg|67000|31 rue des Grandes Arcades
US Megan Walsh|Denver|80202|1600 Glenarm Place
NL Pieter Smit|Haarlem|2011 RD|Grote Houtstraat 90
DE Felix Baumann|Düsseldorf|40213|Bolkerstraße 17
ES Pablo Serrano|Bilbao|48001|Gran Vía 12
FR Sophie Chevalier|Rennes|35000|3 rue Le Bastard
DE Nora Schreiber|Hannover|30159|Georgstraße 38
BR Camila Ribeiro|Belo Horizonte|30130-010|Avenida Afonso Pena 1500
FR Mathis Fontaine|Montpellier|34000|22 rue de la Loge
DE Dirk Albrecht|Nürnberg|90402|Königstraße 71
NL Lotte Mulder|Leiden|2312 HZ|Breestraat 103
ES Elena Castro|Málaga|29005|Calle Larios 9
US Daniel Reyes|Austin|78701|210 Congress Avenue`

/** Partners in countries of euro accounts who are paid by PayPal all the same. */
const BY_PAYPAL = ['javier', 'pablo']
/** Days before today on which the first of the later ones joined; the others follow, two on a day. */
const OPENED_TO_MORE = 82

export const isOfFirst = ({ joined }: Payee) => joined > OPENED_TO_MORE

type Row = { at: number; country: string; name: string; address: Payee['address']; vatId?: string; iban?: string }

function rowsOf(table: string): Row[] {
  return table
    .trim()
    .split('\n')
    .map((line, at) => {
      const [name = '', city = '', zipCode = '', addressLine = '', vatId, iban] = line.slice(3).split('|')
      return { at, country: line.slice(0, 2), name, address: { addressLine, zipCode, city }, vatId, iban }
    })
}

function payeeOf({ at, country, name, address, ...given }: Row, joined: number): Payee {
  const [first = '', ...rest] = name.split(' ')
  const code = plain(first)
  const isFirst = given.iban !== undefined
  // every sixth has no VAT ID: in the payer's country as a small business, elsewhere without invoices
  const vatId = isFirst ? given.vatId || null : at % 6 === 5 ? null : vatIdOf(country, at)
  const person = { first, last: rest.join(' '), code, joined, country, address, vatId }
  return {
    ...person,
    smallBusiness: country === 'DE' && vatId === null,
    details: detailsOf(person, given.iban ?? ibanOf(country, at), at),
  }
}

/** Lower case letters without marks. */
const plain = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()

export const toEmail = ({ code, last }: Pick<Payee, 'code' | 'last'>) => `${code}@${plain(last)}.example`

/** Returns digits that differ for each place in the table. */
const digits = (at: number, length: number) =>
  String((at + 3) * 7_193_527_411)
    .padStart(length, '4')
    .slice(-length)

function vatIdOf(country: string, at: number): string | null {
  const nine = digits(at, 9)
  if (country === 'DE') return `DE${nine}`
  if (country === 'FR') return `FR${nine.slice(0, 2)}${nine}`
  if (country === 'NL') return `NL${nine}B01`
  return country === 'ES' ? `ESB${nine.slice(0, 8)}` : null
}

/** An account of a country in euros, with its check digits; null for the others. */
function ibanOf(country: string, at: number): string | null {
  const bbans: Record<string, string> = {
    DE: `${['20050550', '10050000', '70150000', '60050101'][at % 4]}${digits(at, 10)}`,
    FR: frenchBban('30004', '00030', digits(at, 11)),
    NL: `${['INGB', 'RABO', 'ABNA'][at % 3]}${digits(at, 10)}`,
    ES: spanishBban('2100', '0418', digits(at, 10)),
  }
  const bban = bbans[country]
  return bban ? composeIBAN({ countryCode: country, bban }) : null
}

/** A Spanish account number has a digit that checks bank and branch, and one for the account. */
function spanishBban(bank: string, branch: string, account: string) {
  const weights = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]
  const check = (ten: string) => {
    const rest = [...ten].reduce((sum, digit, at) => sum + Number(digit) * weights[at]!, 0) % 11
    return rest < 2 ? rest : 11 - rest
  }
  return `${bank}${branch}${check(`00${bank}${branch}`)}${check(account)}${account}`
}

/** A French account number ends with a key of its own. */
function frenchBban(bank: string, branch: string, account: string) {
  const key = 97n - ((89n * BigInt(bank) + 15n * BigInt(branch) + 3n * BigInt(account)) % 97n)
  return `${bank}${branch}${account}${String(key).padStart(2, '0')}`
}

function detailsOf(
  { first, last, code, country, address }: Omit<Payee, 'smallBusiness' | 'details'>,
  iban: string | null,
  at: number,
): PayoutDetails {
  const name = `${first} ${last}`
  if (country === 'BR') return bankInBrazil(name, { ...address, state: states[address.city]!, account: digits(at, 8) })
  if (iban === null || BY_PAYPAL.includes(code)) return { kind: 'paypal', email: toEmail({ code, last }) }
  return { kind: 'iban', legalType: 'PRIVATE', name, iban, bic: null, address: { ...address, country } }
}

const states: Record<string, string> = {
  'São Paulo': 'SP',
  'Rio de Janeiro': 'RJ',
  Curitiba: 'PR',
  'Belo Horizonte': 'MG',
}

type InBrazil = Payee['address'] & { state: string; account: string }

/** Details of a bank account in Brazil. */
export function bankInBrazil(name: string, { addressLine, zipCode, city, state, account }: InBrazil): PayoutDetails {
  return {
    kind: 'local-bank',
    country: 'BR',
    currency: 'brl',
    type: 'brazil',
    fields: {
      legalType: 'PRIVATE',
      accountHolderName: name,
      cpf: cpfOf(account.slice(-9).padStart(9, '3')),
      bankCode: '260',
      branchCode: '0001',
      accountNumber: account,
      accountType: 'CHECKING',
      'address.country': 'BR',
      'address.state': state,
      'address.city': city,
      'address.firstLine': addressLine,
      'address.postCode': zipCode,
    },
  }
}

/** A Brazilian tax number: nine digits and two that check them. */
function cpfOf(nine: string) {
  const check = (of: string) => {
    const sum = [...of].reduce((total, digit, at) => total + Number(digit) * (of.length + 1 - at), 0)
    return String(((sum * 10) % 11) % 10)
  }
  const ten = nine + check(nine)
  return ten + check(ten)
}

export const payees: readonly Payee[] = [
  ...rowsOf(FIRST).map((row) => payeeOf(row, 158)),
  ...rowsOf(LATER).map((row, at) => payeeOf(row, OPENED_TO_MORE - at / 2)),
]
