import { detailsRejected, type Method } from '../method.ts'
import { creditTransfer } from './credit-transfer.ts'
import { readResults } from './read-results.ts'
import { bankReasons } from './text.ts'

/** A file of euro transfers, which an owner uploads at any bank of the scheme. */
export const sepa: Method = {
  name: 'sepa',
  label: 'SEPA file',
  pays: { kinds: ['iban'], currencies: ['eur'] },
  blockers: [detailsRejected],
  reasons: bankReasons,
  file: {
    format: 'sepa',
    extension: 'xml',
    takes: 'sepa',
    reference: (name, turn, mark) => (mark ? `${name}-${mark}` : turn === 1 ? name : `${name}-${turn}`),
    // the scheme's limit, 999,999,999.99
    most: 99_999_999_999,
    make: (head, payments) => ({ text: creditTransfer(head, payments) }),
    read: readResults,
  },
}
