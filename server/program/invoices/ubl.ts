import { type Element, optionalElement, writeXml } from '../../platform/xml/write-xml.ts'
import { type ElectronicInvoice, type LineTerms, type PartyTerms, type VatTerms, writtenIdentifier } from './en16931.ts'

// UBL 2.1 as Peppol’s BIS Self-Billing 3.0 narrows it. What is written once must stay: a change is another form of the
// snapshot.

const SPECIFICATION = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0'
const PROCESS = 'urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0'
const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd'

/** Writes a document for Peppol, between the addresses of both parties. */
export function writeUbl(terms: ElectronicInvoice): string {
  const { typeCode, currency, credited, vat, tax, net, gross } = terms
  const isInvoice = typeCode === '389'
  const root = isInvoice ? 'Invoice' : 'CreditNote'
  const money = (name: string, amount: string): Element => [`cbc:${name}`, amount, `currencyID="${currency}"`]
  return writeXml([
    root,
    [
      ['cbc:CustomizationID', SPECIFICATION],
      ['cbc:ProfileID', PROCESS],
      ['cbc:ID', terms.number],
      ['cbc:IssueDate', terms.issuedOn],
      optionalElement('cbc:DueDate', terms.dueOn),
      [`cbc:${root}TypeCode`, typeCode],
      optionalElement('cbc:Note', terms.note),
      ['cbc:DocumentCurrencyCode', currency],
      ['cbc:BuyerReference', terms.buyerReference],
      [
        'cac:InvoicePeriod',
        [
          ['cbc:StartDate', terms.periodStart],
          ['cbc:EndDate', terms.periodEnd],
        ],
      ],
      credited && [
        'cac:BillingReference',
        [
          [
            'cac:InvoiceDocumentReference',
            [
              ['cbc:ID', credited.number],
              ['cbc:IssueDate', credited.issuedOn],
            ],
          ],
        ],
      ],
      ['cac:AccountingSupplierParty', [party(terms.seller)]],
      ['cac:AccountingCustomerParty', [party(terms.buyer)]],
      ['cac:PaymentTerms', [['cbc:Note', terms.paymentTerms]]],
      [
        'cac:TaxTotal',
        [
          money('TaxAmount', tax),
          [
            'cac:TaxSubtotal',
            [money('TaxableAmount', net), money('TaxAmount', tax), category('cac:TaxCategory', vat, true)],
          ],
        ],
      ],
      [
        'cac:LegalMonetaryTotal',
        [
          money('LineExtensionAmount', net),
          money('TaxExclusiveAmount', net),
          money('TaxInclusiveAmount', gross),
          money('PayableAmount', gross),
        ],
      ],
      ...terms.lines.map((line) => writtenLine(line, vat, { isInvoice, money })),
    ],
    `xmlns="${NAMESPACE}:${root}-2" xmlns:cac="${NAMESPACE}:CommonAggregateComponents-2" xmlns:cbc="${NAMESPACE}:CommonBasicComponents-2"`,
  ])
}

const party = (of: PartyTerms): Element => [
  'cac:Party',
  [
    writtenIdentifier('cbc:EndpointID', of.address),
    of.id ? ['cac:PartyIdentification', [['cbc:ID', of.id]]] : null,
    [
      'cac:PostalAddress',
      [
        ['cbc:StreetName', of.line],
        ['cbc:CityName', of.city],
        optionalElement('cbc:PostalZone', of.zipCode),
        optionalElement('cbc:CountrySubentity', of.state),
        ['cac:Country', [['cbc:IdentificationCode', of.country]]],
      ],
    ],
    registration(of.vatId, 'VAT'),
    registration(of.taxNumber, 'FC'),
    ['cac:PartyLegalEntity', [['cbc:RegistrationName', of.name], writtenIdentifier('cbc:CompanyID', of.companyNumber)]],
  ],
]

const registration = (value: string | null, scheme: string): Element | null =>
  value
    ? [
        'cac:PartyTaxScheme',
        [
          ['cbc:CompanyID', value],
          ['cac:TaxScheme', [['cbc:ID', scheme]]],
        ],
      ]
    : null

const category = (name: string, { category: code, rate, reason, reasonCode }: VatTerms, isWhole = false): Element => [
  name,
  [
    ['cbc:ID', code],
    optionalElement('cbc:Percent', rate),
    isWhole ? optionalElement('cbc:TaxExemptionReasonCode', reasonCode) : null,
    isWhole ? optionalElement('cbc:TaxExemptionReason', reason) : null,
    ['cac:TaxScheme', [['cbc:ID', 'VAT']]],
  ],
]

function writtenLine(
  line: LineTerms,
  vat: VatTerms,
  { isInvoice, money }: { isInvoice: boolean; money: (name: string, amount: string) => Element },
): Element {
  return [
    isInvoice ? 'cac:InvoiceLine' : 'cac:CreditNoteLine',
    [
      ['cbc:ID', line.id],
      [isInvoice ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity', line.quantity, 'unitCode="C62"'],
      money('LineExtensionAmount', line.amount),
      [
        'cac:Item',
        [['cbc:Description', line.description], ['cbc:Name', line.name], category('cac:ClassifiedTaxCategory', vat)],
      ],
      ['cac:Price', [money('PriceAmount', line.price)]],
    ],
  ]
}
