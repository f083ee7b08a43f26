import { type Element, optionalElement, writeXml } from '../../platform/xml/write-xml.ts'
import { type ElectronicInvoice, type LineTerms, type PartyTerms, type VatTerms, writtenIdentifier } from './en16931.ts'

// UN/CEFACT’s Cross Industry Invoice in the profile EN 16931, which Factur-X and ZUGFeRD put into a PDF. What is written
// once must stay: a change is another form of the snapshot.

const SPECIFICATION = 'urn:cen.eu:en16931:2017'
const NAMESPACE = 'urn:un:unece:uncefact:data:standard'

/** Writes a document as it is put into its PDF. */
export function writeCii(terms: ElectronicInvoice): string {
  const { vat, lines, note } = terms
  return writeXml([
    'rsm:CrossIndustryInvoice',
    [
      [
        'rsm:ExchangedDocumentContext',
        [['ram:GuidelineSpecifiedDocumentContextParameter', [['ram:ID', SPECIFICATION]]]],
      ],
      [
        'rsm:ExchangedDocument',
        [
          ['ram:ID', terms.number],
          ['ram:TypeCode', terms.typeCode],
          ['ram:IssueDateTime', [day(terms.issuedOn)]],
          note ? ['ram:IncludedNote', [['ram:Content', note]]] : null,
        ],
      ],
      [
        'rsm:SupplyChainTradeTransaction',
        [
          ...lines.map((line) => writtenLine(line, vat)),
          [
            'ram:ApplicableHeaderTradeAgreement',
            [
              ['ram:BuyerReference', terms.buyerReference],
              ['ram:SellerTradeParty', party(terms.seller)],
              ['ram:BuyerTradeParty', party(terms.buyer)],
            ],
          ],
          ['ram:ApplicableHeaderTradeDelivery', []],
          ['ram:ApplicableHeaderTradeSettlement', settlement(terms)],
        ],
      ],
    ],
    `xmlns:rsm="${NAMESPACE}:CrossIndustryInvoice:100" xmlns:qdt="${NAMESPACE}:QualifiedDataType:100" xmlns:ram="${NAMESPACE}:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="${NAMESPACE}:UnqualifiedDataType:100"`,
  ])
}

function settlement(terms: ElectronicInvoice): (Element | null)[] {
  const { currency, dueOn, credited, vat, net, tax, gross } = terms
  return [
    ['ram:InvoiceCurrencyCode', currency],
    [
      'ram:ApplicableTradeTax',
      [
        ['ram:CalculatedAmount', tax],
        ['ram:TypeCode', 'VAT'],
        optionalElement('ram:ExemptionReason', vat.reason),
        ['ram:BasisAmount', net],
        ['ram:CategoryCode', vat.category],
        optionalElement('ram:ExemptionReasonCode', vat.reasonCode),
        optionalElement('ram:RateApplicablePercent', vat.rate),
      ],
    ],
    [
      'ram:BillingSpecifiedPeriod',
      [
        ['ram:StartDateTime', [day(terms.periodStart)]],
        ['ram:EndDateTime', [day(terms.periodEnd)]],
      ],
    ],
    [
      'ram:SpecifiedTradePaymentTerms',
      [['ram:Description', terms.paymentTerms], dueOn ? ['ram:DueDateDateTime', [day(dueOn)]] : null],
    ],
    [
      'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
      [
        ['ram:LineTotalAmount', net],
        ['ram:TaxBasisTotalAmount', net],
        ['ram:TaxTotalAmount', tax, `currencyID="${currency}"`],
        ['ram:GrandTotalAmount', gross],
        ['ram:DuePayableAmount', gross],
      ],
    ],
    credited && [
      'ram:InvoiceReferencedDocument',
      [
        ['ram:IssuerAssignedID', credited.number],
        ['ram:FormattedIssueDateTime', [day(credited.issuedOn, 'qdt')]],
      ],
    ],
  ]
}

/** A day as the format 102 writes it. */
const day = (date: string, prefix = 'udt'): Element => [
  `${prefix}:DateTimeString`,
  date.replaceAll('-', ''),
  'format="102"',
]

const party = (of: PartyTerms): (Element | null)[] => [
  optionalElement('ram:ID', of.id),
  ['ram:Name', of.name],
  of.companyNumber && ['ram:SpecifiedLegalOrganization', [writtenIdentifier('ram:ID', of.companyNumber)]],
  [
    'ram:PostalTradeAddress',
    [
      optionalElement('ram:PostcodeCode', of.zipCode),
      ['ram:LineOne', of.line],
      ['ram:CityName', of.city],
      ['ram:CountryID', of.country],
      optionalElement('ram:CountrySubDivisionName', of.state),
    ],
  ],
  of.address && ['ram:URIUniversalCommunication', [writtenIdentifier('ram:URIID', of.address)]],
  registration(of.vatId, 'VA'),
  registration(of.taxNumber, 'FC'),
]

const registration = (value: string | null, scheme: string): Element | null =>
  value ? ['ram:SpecifiedTaxRegistration', [['ram:ID', value, `schemeID="${scheme}"`]]] : null

const writtenLine = (line: LineTerms, { category, rate }: VatTerms): Element => [
  'ram:IncludedSupplyChainTradeLineItem',
  [
    ['ram:AssociatedDocumentLineDocument', [['ram:LineID', line.id]]],
    [
      'ram:SpecifiedTradeProduct',
      [
        ['ram:Name', line.name],
        ['ram:Description', line.description],
      ],
    ],
    ['ram:SpecifiedLineTradeAgreement', [['ram:NetPriceProductTradePrice', [['ram:ChargeAmount', line.price]]]]],
    ['ram:SpecifiedLineTradeDelivery', [['ram:BilledQuantity', line.quantity, 'unitCode="C62"']]],
    [
      'ram:SpecifiedLineTradeSettlement',
      [
        [
          'ram:ApplicableTradeTax',
          [['ram:TypeCode', 'VAT'], ['ram:CategoryCode', category], optionalElement('ram:RateApplicablePercent', rate)],
        ],
        ['ram:SpecifiedTradeSettlementLineMonetarySummation', [['ram:LineTotalAmount', line.amount]]],
      ],
    ],
  ],
]
