import { decimalAmount } from '#contract/money.ts'
import type { EuroAddress, IbanDetails } from '#contract/payout-details.ts'
import { type Element, writeXml } from '../../../../platform/xml/write-xml.ts'
import type { FileHead, FilePayment } from '../method.ts'
import { latinId, toLatin } from './characters.ts'

// The message pain.001.001.09 as the scheme’s guidelines narrow it (EPC132-08, 2023).

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'

/** Writes the file that orders these transfers, all in euro, from the payer's account. */
export function creditTransfer(head: FileHead, payments: FilePayment[]): string {
  const { messageId, createdAt, executionDate } = head
  const payer = head.payer!
  const id = latinId(messageId, 35)
  const sum = payments.reduce((total, { amount }) => total + amount, 0)
  const totals: Element[] = [
    ['NbOfTxs', String(payments.length)],
    ['CtrlSum', decimalAmount(sum, 'eur')],
  ]
  const order: Element[] = [
    [
      'GrpHdr',
      [
        ['MsgId', id],
        ['CreDtTm', createdAt.replace(/\.\d+Z$/, 'Z')],
        ...totals,
        ['InitgPty', [['Nm', toLatin(payer.name, 70)]]],
      ],
    ],
    [
      'PmtInf',
      [
        ['PmtInfId', id],
        ['PmtMtd', 'TRF'],
        // a statement names each transfer that is booked by itself
        ['BtchBookg', String(payer.booking === 'batch')],
        ...totals,
        ['PmtTpInf', [['SvcLvl', [['Cd', 'SEPA']]]]],
        ['ReqdExctnDt', [['Dt', executionDate!]]],
        ['Dbtr', party(payer)],
        ['DbtrAcct', account(payer.iban)],
        ['DbtrAgt', bank(payer.bic) ?? [['FinInstnId', [['Othr', [['Id', 'NOTPROVIDED']]]]]]],
        ['ChrgBr', 'SLEV'],
        ...payments.map((payment) => transfer(head, payment)),
      ],
    ],
  ]
  return writeXml(['Document', [['CstmrCdtTrfInitn', order]], `xmlns="${NAMESPACE}"`])
}

function transfer({ accountName }: FileHead, { name, reference, amount, details }: FilePayment): Element {
  const payee = details as IbanDetails
  const agent = bank(payee.bic)
  // banks that report this text alone must find one file's payment by it
  const shown = /-[A-Z][A-Z\d]+$/.test(reference) ? reference : name
  return [
    'CdtTrfTxInf',
    [
      ['PmtId', [['EndToEndId', latinId(reference, 35)]]],
      ['Amt', [['InstdAmt', decimalAmount(amount, 'eur'), 'Ccy="EUR"']]],
      agent && ['CdtrAgt', agent],
      ['Cdtr', party(payee)],
      ['CdtrAcct', account(payee.iban)],
      ['RmtInf', [['Ustrd', `${toLatin(accountName, 139 - shown.length)} ${shown}`]]],
    ],
  ]
}

/** The address is structured: banks refuse lines of text since November 2026. */
const party = ({ name, address }: { name: string; address: EuroAddress }): Element[] => [
  ['Nm', toLatin(name, 70)],
  [
    'PstlAdr',
    [
      ['StrtNm', toLatin(address.addressLine, 70)],
      ['PstCd', toLatin(address.zipCode, 16)],
      ['TwnNm', toLatin(address.city, 35)],
      ['Ctry', address.country.toUpperCase()],
    ],
  ],
]

const account = (iban: string): Element[] => [['Id', [['IBAN', iban]]]]

const bank = (bic: string | null | undefined): Element[] | null => (bic ? [['FinInstnId', [['BICFI', bic]]]] : null)
