import fc from 'fast-check'
import type { InvoiceDocument } from '#contract/invoices.ts'
import { readXml, type XmlElement } from '../../server/platform/xml/read-xml.ts'
import { electronicForms } from '../../server/program/invoices/electronic.ts'
import { identifyParty } from '../../server/program/invoicing/party-ids.ts'
import { findTreatment, taxOn, toVatRate, treatmentWords } from '../../server/program/invoicing/treatment.ts'

// Random documents, and the rules of EN 16931 and of Peppol's self-billing in our own words, read back from either form.

const text = fc.constantFrom('Nord & Süd', 'Ελένη Παπαδοπούλου', '<b>Café</b> "X"', "O'Neil", 'Løvås AS', 'Müller')
const VAT_IDS: Record<string, string[]> = {
  AT: ['ATU12345678'],
  BE: ['BE0403170701'],
  CH: ['CHE123456788MWST'],
  DE: ['DE136695976', 'DE811907980'],
  DK: ['DK13585628'],
  FR: ['FR83404833048'],
  GB: ['GB123456789'],
  GR: ['EL123456789'],
  IC: [],
  MC: ['FR12000045678'],
  NL: ['NL123456789B01'],
  NO: ['NO923609016MVA'],
  PL: ['PL1234567890'],
  SE: ['SE556036079301'],
  US: [],
  XK: [],
}

const party = fc
  .record({
    country: fc.constantFrom(...Object.keys(VAT_IDS)),
    hasVatId: fc.boolean(),
    legalName: text,
    addressLine: text,
    city: text,
    zipCode: fc.constantFrom(null, '10119', 'A-1'),
    state: fc.constantFrom(null, 'Attica & Co'),
    taxNumber: fc.constantFrom(null, '22/815/08154'),
    companyNumber: fc.constantFrom(null, 'HRB 1 & 2'),
    peppolId: fc.constantFrom(null, null, '0088:4006381333931'),
    smallBusiness: fc.boolean(),
  })
  .map(({ hasVatId, addressLine, city, zipCode, state, smallBusiness, ...rest }) => {
    const vatId = hasVatId ? (VAT_IDS[rest.country]![0] ?? null) : null
    const companyNumber = ['DE', 'AT', 'PL'].includes(rest.country) ? rest.companyNumber : null
    const address = { addressLine, city, zipCode, state }
    return { smallBusiness, party: identifyParty({ ...rest, address, vatId, companyNumber }) }
  })

const KINDS = ['earned', 'restoration', 'bonus', 'adjustment', 'reversal'] as const

/** Documents as the product issues them, whether or not they have an electronic form. */
export const anyDocument: fc.Arbitrary<InvoiceDocument> = fc
  .record({
    seller: party,
    buyer: party,
    currency: fc.constantFrom('eur', 'eur', 'usd', 'jpy', 'pln', 'kwd'),
    rate: fc.constantFrom(0, 5.5, 7, 19, 21, 25),
    amounts: fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.integer({ min: -50_000, max: 300_000 })), {
      minLength: 1,
      maxLength: 5,
    }),
    isNote: fc.boolean(),
    number: fc.integer({ min: 2, max: 99_999 }),
    days: fc.integer({ min: 0, max: 60 }),
  })
  .map(({ seller, buyer, currency, rate, amounts, isNote, number, days }) => {
    const { taxNumber: _, ...account } = buyer.party
    const treatment =
      findTreatment(account, { ...seller.party, smallBusiness: seller.smallBusiness }) ?? 'outside-scope'
    const taxRate = toVatRate(treatment, { vatRate: rate })
    const byKind = new Map(amounts)
    const lines = KINDS.flatMap((kind) => (byKind.has(kind) ? [{ kind, count: 3, amount: byKind.get(kind)! }] : []))
    const sum = lines.reduce((total, { amount }) => total + amount, 0)
    if (sum <= 0) lines[0]!.amount += 1 - sum
    const net = Math.max(sum, 1)
    const tax = taxOn(net, taxRate)
    const issuedOn = new Date(Date.UTC(2026, 10, 1 + days)).toISOString().slice(0, 10)
    const facts = {
      number: `INV-${number}`,
      currency,
      treatment,
      account,
      partner: seller.party,
    }
    return {
      id: '0195c1f2-0000-7000-8000-000000000001',
      accountId: '0195c1f2-0000-7000-8000-000000000002',
      kind: isNote ? 'credit-note' : 'invoice',
      payoutId: '0195c1f2-0000-7000-8000-000000000003',
      payoutNumber: 'PO-214',
      partnerId: '0195c1f2-0000-7000-8000-000000000004',
      partnerName: 'Jane',
      issuedOn,
      net,
      taxRate,
      tax,
      gross: net + tax,
      ...{ numberedOn: null, objectedAt: null, objection: null, objectionClosedAt: null },
      creditedBy: null,
      correctedBy: null,
      credits: isNote ? '0195c1f2-0000-7000-8000-000000000005' : null,
      createdAt: `${issuedOn}T09:12:40.118Z`,
      periodStart: '2026-09-01',
      periodEnd: '2026-10-31',
      lines,
      words: treatmentWords(treatment, account),
      credited: isNote
        ? {
            id: '0195c1f2-0000-7000-8000-000000000005',
            number: `INV-${number - 1}`,
            issuedOn: '2026-10-31',
            correctedBy: null,
          }
        : null,
      ...facts,
      electronic: electronicForms({ form: 1, ...facts }),
    } satisfies InvoiceDocument
  })

type Group = { [term: `BT-${string}`]: string[] }
/** The values of a document by the numbers of their terms in the norm. */
export type Terms = Group & { lines: Group[]; breakdown: Group[]; hasEmpty: boolean }

const find = (from: XmlElement, path: string): XmlElement[] =>
  path
    .split('/')
    .reduce((found, name) => found.flatMap(({ children }) => children.filter((one) => one.name === name)), [from])

const values = (from: XmlElement, path: string) => find(from, path).map(({ text: value }) => value.trim())

const attribute = (from: XmlElement, path: string, name: string) =>
  find(from, path).flatMap(({ attributes }) => attributes[name] ?? [])

const isEmpty = ({ text: value, children, name }: XmlElement): boolean =>
  children.length === 0 ? value.trim() === '' && name !== 'ApplicableHeaderTradeDelivery' : children.some(isEmpty)

const UBL = {
  'BT-1': 'ID',
  'BT-2': 'IssueDate',
  'BT-5': 'DocumentCurrencyCode',
  'BT-9': 'DueDate',
  'BT-10': 'BuyerReference',
  'BT-20': 'PaymentTerms/Note',
  'BT-22': 'Note',
  'BT-23': 'ProfileID',
  'BT-24': 'CustomizationID',
  'BT-25': 'BillingReference/InvoiceDocumentReference/ID',
  'BT-73': 'InvoicePeriod/StartDate',
  'BT-74': 'InvoicePeriod/EndDate',
  'BT-106': 'LegalMonetaryTotal/LineExtensionAmount',
  'BT-107': 'LegalMonetaryTotal/AllowanceTotalAmount',
  'BT-108': 'LegalMonetaryTotal/ChargeTotalAmount',
  'BT-109': 'LegalMonetaryTotal/TaxExclusiveAmount',
  'BT-110': 'TaxTotal/TaxAmount',
  'BT-112': 'LegalMonetaryTotal/TaxInclusiveAmount',
  'BT-113': 'LegalMonetaryTotal/PrepaidAmount',
  'BT-114': 'LegalMonetaryTotal/PayableRoundingAmount',
  'BT-115': 'LegalMonetaryTotal/PayableAmount',
}

const settled = 'SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement'
const sums = `${settled}/SpecifiedTradeSettlementHeaderMonetarySummation`
const CII = {
  'BT-1': 'ExchangedDocument/ID',
  'BT-2': 'ExchangedDocument/IssueDateTime/DateTimeString',
  'BT-3': 'ExchangedDocument/TypeCode',
  'BT-5': `${settled}/InvoiceCurrencyCode`,
  'BT-9': `${settled}/SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString`,
  'BT-10': 'SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/BuyerReference',
  'BT-20': `${settled}/SpecifiedTradePaymentTerms/Description`,
  'BT-22': 'ExchangedDocument/IncludedNote/Content',
  'BT-24': 'ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID',
  'BT-25': `${settled}/InvoiceReferencedDocument/IssuerAssignedID`,
  'BT-73': `${settled}/BillingSpecifiedPeriod/StartDateTime/DateTimeString`,
  'BT-74': `${settled}/BillingSpecifiedPeriod/EndDateTime/DateTimeString`,
  'BT-106': `${sums}/LineTotalAmount`,
  'BT-107': `${sums}/AllowanceTotalAmount`,
  'BT-108': `${sums}/ChargeTotalAmount`,
  'BT-109': `${sums}/TaxBasisTotalAmount`,
  'BT-110': `${sums}/TaxTotalAmount`,
  'BT-112': `${sums}/GrandTotalAmount`,
  'BT-113': `${sums}/TotalPrepaidAmount`,
  'BT-114': `${sums}/RoundingAmount`,
  'BT-115': `${sums}/DuePayableAmount`,
}

const byPaths = (root: XmlElement, paths: Record<Term, string>): Group =>
  Object.fromEntries(Object.entries(paths).map(([term, path]) => [term, values(root, path)]))

/** Reads the terms of a document in either form. */
export async function readTerms(xml: string): Promise<Terms> {
  const root = await readXml(xml)
  const group = root.name === 'CrossIndustryInvoice' ? readCii(root) : readUbl(root)
  return { ...group, hasEmpty: isEmpty(root) }
}

function readUbl(root: XmlElement) {
  const partyOf = (role: string, [name, id, company, vat, tax, address, country]: Term[]): Group => {
    const [of] = find(root, `${role}/Party`)
    const registered = (scheme: (code: string) => boolean) =>
      find(of!, 'PartyTaxScheme')
        .filter((one) => scheme(values(one, 'TaxScheme/ID')[0]!))
        .flatMap((one) => values(one, 'CompanyID'))
    return {
      [name!]: values(of!, 'PartyLegalEntity/RegistrationName'),
      [id!]: values(of!, 'PartyIdentification/ID'),
      [company!]: values(of!, 'PartyLegalEntity/CompanyID'),
      [vat!]: registered((code) => code === 'VAT'),
      [tax!]: registered((code) => code !== 'VAT'),
      [address!]: values(of!, 'EndpointID'),
      [`${address}-1`]: attribute(of!, 'EndpointID', 'schemeID'),
      [country!]: values(of!, 'PostalAddress/Country/IdentificationCode'),
    }
  }
  const isNote = root.name === 'CreditNote'
  return {
    ...byPaths(root, UBL),
    'BT-3': values(root, `${root.name}TypeCode`),
    ...partyOf('AccountingSupplierParty', ['BT-27', 'BT-29', 'BT-30', 'BT-31', 'BT-32', 'BT-34', 'BT-40']),
    ...partyOf('AccountingCustomerParty', ['BT-44', 'BT-46', 'BT-47', 'BT-48', 'BT-0', 'BT-49', 'BT-55']),
    breakdown: find(root, 'TaxTotal/TaxSubtotal').map((one) => ({
      'BT-116': values(one, 'TaxableAmount'),
      'BT-117': values(one, 'TaxAmount'),
      'BT-118': values(one, 'TaxCategory/ID'),
      'BT-119': values(one, 'TaxCategory/Percent'),
      'BT-120': values(one, 'TaxCategory/TaxExemptionReason'),
      'BT-121': values(one, 'TaxCategory/TaxExemptionReasonCode'),
    })),
    lines: find(root, isNote ? 'CreditNoteLine' : 'InvoiceLine').map((one) => ({
      'BT-126': values(one, 'ID'),
      'BT-129': values(one, isNote ? 'CreditedQuantity' : 'InvoicedQuantity'),
      'BT-130': attribute(one, isNote ? 'CreditedQuantity' : 'InvoicedQuantity', 'unitCode'),
      'BT-131': values(one, 'LineExtensionAmount'),
      'BT-146': values(one, 'Price/PriceAmount'),
      'BT-151': values(one, 'Item/ClassifiedTaxCategory/ID'),
      'BT-152': values(one, 'Item/ClassifiedTaxCategory/Percent'),
      'BT-153': values(one, 'Item/Name'),
    })),
  }
}

const toDay = (date: string) => date.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')

function readCii(root: XmlElement) {
  const partyOf = (role: string, [name, id, company, vat, tax, address, country]: Term[]): Group => {
    const [of] = find(root, `SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/${role}`)
    const registered = (scheme: string) =>
      find(of!, 'SpecifiedTaxRegistration/ID')
        .filter(({ attributes }) => attributes.schemeID === scheme)
        .map(({ text: value }) => value.trim())
    return {
      [name!]: values(of!, 'Name'),
      [id!]: [...values(of!, 'ID'), ...values(of!, 'GlobalID')],
      [company!]: values(of!, 'SpecifiedLegalOrganization/ID'),
      [vat!]: registered('VA'),
      [tax!]: registered('FC'),
      [address!]: values(of!, 'URIUniversalCommunication/URIID'),
      [`${address}-1`]: attribute(of!, 'URIUniversalCommunication/URIID', 'schemeID'),
      [country!]: values(of!, 'PostalTradeAddress/CountryID'),
    }
  }
  const group = byPaths(root, CII)
  for (const term of ['BT-2', 'BT-9', 'BT-73', 'BT-74'] as const) group[term] = group[term]!.map(toDay)
  const lineSettled = 'SpecifiedLineTradeSettlement'
  return {
    ...group,
    'BT-23': [],
    ...partyOf('SellerTradeParty', ['BT-27', 'BT-29', 'BT-30', 'BT-31', 'BT-32', 'BT-34', 'BT-40']),
    ...partyOf('BuyerTradeParty', ['BT-44', 'BT-46', 'BT-47', 'BT-48', 'BT-0', 'BT-49', 'BT-55']),
    breakdown: find(root, `${settled}/ApplicableTradeTax`).map((one) => ({
      'BT-116': values(one, 'BasisAmount'),
      'BT-117': values(one, 'CalculatedAmount'),
      'BT-118': values(one, 'CategoryCode'),
      'BT-119': values(one, 'RateApplicablePercent'),
      'BT-120': values(one, 'ExemptionReason'),
      'BT-121': values(one, 'ExemptionReasonCode'),
    })),
    lines: find(root, 'SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem').map((one) => ({
      'BT-126': values(one, 'AssociatedDocumentLineDocument/LineID'),
      'BT-129': values(one, 'SpecifiedLineTradeDelivery/BilledQuantity'),
      'BT-130': attribute(one, 'SpecifiedLineTradeDelivery/BilledQuantity', 'unitCode'),
      'BT-131': values(one, `${lineSettled}/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount`),
      'BT-146': values(one, 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount'),
      'BT-151': values(one, `${lineSettled}/ApplicableTradeTax/CategoryCode`),
      'BT-152': values(one, `${lineSettled}/ApplicableTradeTax/RateApplicablePercent`),
      'BT-153': values(one, 'SpecifiedTradeProduct/Name'),
    })),
  }
}

type Term = keyof Group

type Rule = {
  /** The rule in our words. */
  says: string
  holds(terms: Terms): boolean
  /** Breaks a document that the rule concerns; false for one that it doesn't. */
  breaks(terms: Terms): unknown
}

const cents = (value: string | undefined) => Math.round(Number(value ?? 0) * 100)
const is = (values: string[] | undefined, pattern: RegExp) => values?.length === 1 && pattern.test(values[0]!)
const SOME = /\S/
const DAY = /^\d{4}-\d\d-\d\d$/
/** Kosovo is 1A in the norm's list, which has no other code that ISO 3166 lacks. */
const LISTED_COUNTRY = /^(?:1A|(?!AC|CP|CQ|DG|EA|IC|TA|XK)[A-Z]{2})$/
const AMOUNT = /^-?\d+(\.\d{1,2})?$/
const isPeppol = (t: Terms) => t['BT-23']!.some((id) => id.includes('selfbilling'))
const category = (t: Terms) => t.breakdown[0]!['BT-118']![0]!
const isIdentified = (t: Terms) => t['BT-31']!.length + t['BT-32']!.length > 0
const of = (t: Terms, ...codes: string[]) => codes.includes(category(t))
const required = (term: Term, pattern: RegExp, says: string): Rule => ({
  says,
  holds: (t) => is(t[term], pattern),
  breaks(t) {
    t[term] = []
  },
})

/** The rules, each with a way to break it. */
export const rules: Rule[] = [
  required('BT-1', SOME, 'a document has one number'),
  required('BT-2', DAY, 'it has a day of issue'),
  required('BT-3', /^(389|261)$/, 'it is a self-billed invoice or credit note'),
  required('BT-5', /^[A-Z]{3}$/, 'it names its currency'),
  required('BT-24', /^urn:cen\.eu:en16931:2017(#|$)/, 'it names the norm'),
  required('BT-27', SOME, 'the seller has a name'),
  required('BT-44', SOME, 'the buyer has a name'),
  required('BT-40', LISTED_COUNTRY, 'the seller has a country'),
  required('BT-55', LISTED_COUNTRY, 'the buyer has a country'),
  required('BT-106', AMOUNT, 'the sum of the lines is there'),
  required('BT-109', AMOUNT, 'the net amount is there'),
  required('BT-112', AMOUNT, 'the gross amount is there'),
  required('BT-115', AMOUNT, 'the amount due is there'),
  {
    says: 'nothing is empty',
    holds: (t) => !t.hasEmpty,
    breaks(t) {
      t.hasEmpty = true
    },
  },
  {
    says: 'the seller can be found by an ID, a company number or a VAT ID',
    holds: (t) => [...t['BT-29']!, ...t['BT-30']!, ...t['BT-31']!].length > 0,
    breaks(t) {
      for (const term of ['BT-29', 'BT-30', 'BT-31'] as const) t[term] = []
    },
  },
  {
    says: 'VAT IDs begin with their country',
    holds: (t) => [...t['BT-31']!, ...t['BT-48']!].every((id) => /^[A-Z]{2}/.test(id)),
    breaks(t) {
      if (t['BT-31']!.length === 0) return false
      t['BT-31'] = ['136695976']
      return true
    },
  },
  {
    says: 'what is to be paid is due on a day or by terms',
    holds: (t) => cents(t['BT-115']![0]) <= 0 || t['BT-9']!.length + t['BT-20']!.length > 0,
    breaks(t) {
      t['BT-9'] = []
      t['BT-20'] = []
    },
  },
  {
    says: 'the period ends after it begins',
    holds: (t) => !(t['BT-73']![0]! > t['BT-74']![0]!),
    breaks(t) {
      if (t['BT-73']!.length === 0) return false
      t['BT-73'] = ['2099-01-01']
      return true
    },
  },
  {
    says: 'a credit note names its invoice',
    holds: (t) => t['BT-3']![0] !== '261' || t['BT-25']!.length === 1,
    breaks(t) {
      if (t['BT-3']![0] !== '261') return false
      t['BT-25'] = []
      return true
    },
  },
  {
    says: 'there is a line, and each has its own number',
    holds: (t) => t.lines.length > 0 && new Set(t.lines.map((line) => line['BT-126']![0])).size === t.lines.length,
    breaks(t) {
      t.lines = []
    },
  },
  {
    says: 'each line has a quantity with a unit, an amount, a price and a name',
    holds: (t) =>
      t.lines.every(
        (line) =>
          (['BT-126', 'BT-129', 'BT-130', 'BT-146', 'BT-153'] as const).every((term) => is(line[term], SOME)) &&
          is(line['BT-131'], AMOUNT),
      ),
    breaks(t) {
      t.lines[0]!['BT-130'] = []
    },
  },
  {
    says: 'no price is negative',
    holds: (t) => t.lines.every((line) => Number(line['BT-146']![0]) >= 0),
    breaks(t) {
      t.lines[0]!['BT-146'] = ['-1.00']
    },
  },
  {
    says: 'a line’s amount is its quantity by its price',
    holds: (t) =>
      t.lines.every(
        (line) =>
          cents(line['BT-131']![0]) === Math.round(Number(line['BT-129']![0]) * Number(line['BT-146']![0]) * 100),
      ),
    breaks(t) {
      if (Number(t.lines[0]!['BT-146']![0]) === 0) return false
      t.lines[0]!['BT-129'] = ['7']
      return true
    },
  },
  {
    says: 'the lines add up',
    holds: (t) => t.lines.reduce((sum, line) => sum + cents(line['BT-131']![0]), 0) === cents(t['BT-106']![0]),
    breaks(t) {
      t['BT-106'] = [String(Number(t['BT-106']![0]) + 1)]
    },
  },
  {
    says: 'the net amount is that of the lines, less allowances, with charges',
    holds: (t) => cents(t['BT-109']![0]) === cents(t['BT-106']![0]) - cents(t['BT-107']![0]) + cents(t['BT-108']![0]),
    breaks(t) {
      t['BT-107'] = ['1.00']
    },
  },
  {
    says: 'the gross amount is net and VAT',
    holds: (t) => cents(t['BT-112']![0]) === cents(t['BT-109']![0]) + cents(t['BT-110']![0]),
    breaks(t) {
      t['BT-110'] = [String(Number(t['BT-110']![0]) + 1)]
    },
  },
  {
    says: 'the amount due is the gross amount, less what was paid before',
    holds: (t) => cents(t['BT-115']![0]) === cents(t['BT-112']![0]) - cents(t['BT-113']![0]) + cents(t['BT-114']![0]),
    breaks(t) {
      t['BT-113'] = ['1.00']
    },
  },
  {
    says: 'VAT is that of its breakdown, each part half up of its share',
    holds: (t) =>
      t.breakdown.reduce((sum, part) => sum + cents(part['BT-117']![0]), 0) === cents(t['BT-110']![0]) &&
      t.breakdown.every(
        (part) =>
          Math.abs(cents(part['BT-117']![0]) - (cents(part['BT-116']![0]) * Number(part['BT-119']![0] ?? 0)) / 100) <
          100,
      ),
    breaks(t) {
      t.breakdown[0]!['BT-117'] = ['-99.00']
    },
  },
  {
    says: 'each line is in the breakdown by its category and rate, which share the net amount',
    holds: (t) =>
      t.breakdown.reduce((sum, part) => sum + cents(part['BT-116']![0]), 0) === cents(t['BT-109']![0]) &&
      t.lines.every((line) =>
        t.breakdown.some(
          (part) =>
            part['BT-118']![0] === line['BT-151']![0] &&
            Number(part['BT-119']![0] ?? -1) === Number(line['BT-152']![0] ?? -1),
        ),
      ),
    breaks(t) {
      t.lines[0]!['BT-151'] = ['G']
    },
  },
  {
    says: 'a rate above zero is that of the category S alone',
    holds: (t) => t.breakdown.every((part) => (part['BT-118']![0] === 'S') === Number(part['BT-119']![0] ?? 0) > 0),
    breaks(t) {
      for (const one of [...t.breakdown]) one['BT-118'] = [one['BT-118']![0] === 'S' ? 'Z' : 'S']
      for (const line of t.lines) line['BT-151'] = t.breakdown[0]!['BT-118']!
    },
  },
  {
    says: 'a seller within VAT has a VAT ID or a tax number',
    holds: (t) => of(t, 'O') || isIdentified(t),
    breaks(t) {
      if (of(t, 'O')) return false
      t['BT-31'] = []
      t['BT-32'] = []
      return true
    },
  },
  {
    says: 'where there is no VAT, it says why',
    holds: (t) =>
      t.breakdown.every(
        (part) => ['S', 'Z'].includes(part['BT-118']![0]!) === (part['BT-120']!.length + part['BT-121']!.length === 0),
      ),
    breaks(t) {
      if (of(t, 'S', 'Z')) t.breakdown[0]!['BT-120'] = ['For no reason']
      else {
        t.breakdown[0]!['BT-120'] = []
        t.breakdown[0]!['BT-121'] = []
      }
    },
  },
  {
    says: 'a buyer who owes the VAT has a VAT ID or a company number',
    holds: (t) => !of(t, 'AE') || t['BT-48']!.length + t['BT-47']!.length > 0,
    breaks(t) {
      if (!of(t, 'AE')) return false
      t['BT-48'] = []
      t['BT-47'] = []
      return true
    },
  },
  {
    says: 'outside the scope of VAT there are no VAT IDs and no rate',
    holds: (t) =>
      !of(t, 'O') ||
      (t['BT-31']!.length + t['BT-48']!.length === 0 &&
        [...t.breakdown.map((part) => part['BT-119']!), ...t.lines.map((line) => line['BT-152']!)].flat().length === 0),
    breaks(t) {
      if (!of(t, 'O')) return false
      t['BT-48'] = ['DE136695976']
      return true
    },
  },
  {
    says: 'Peppol knows both parties by an address of a scheme',
    holds: (t) =>
      !isPeppol(t) ||
      (['BT-34', 'BT-49'] as const).every((term) => is(t[term], SOME) && is(t[`${term}-1`], /^(?!EM)[0-9]{4}$/)),
    breaks(t) {
      if (!isPeppol(t)) return false
      t['BT-49'] = []
      return true
    },
  },
  {
    says: 'Peppol asks for a reference of the buyer',
    holds: (t) => !isPeppol(t) || is(t['BT-10'], SOME),
    breaks(t) {
      if (!isPeppol(t)) return false
      t['BT-10'] = []
      return true
    },
  },
  {
    says: 'Peppol takes one note',
    holds: (t) => !isPeppol(t) || t['BT-22']!.length <= 1,
    breaks(t) {
      if (!isPeppol(t)) return false
      t['BT-22'] = ['one', 'two']
      return true
    },
  },
]

/** The rules that a document breaks. */
export const brokenRules = (terms: Terms) => rules.filter(({ holds }) => !holds(terms)).map(({ says }) => says)

/** The names of the children of each element, in their order and once, by the element's name. */
export async function orderOfElements(xml: string): Promise<[parent: string, children: string[]][]> {
  const found: [string, string[]][] = []
  const visit = ({ name, children }: XmlElement) => {
    found.push([name, [...new Set(children.map((child) => child.name))]])
    for (const child of children) visit(child)
  }
  visit(await readXml(xml))
  return found
}
