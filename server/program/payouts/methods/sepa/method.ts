import { detailsRejected, type Method } from '../method.ts'

/** A file of euro transfers, which an owner uploads at a bank. */
export const sepa: Method = {
  name: 'sepa',
  label: 'SEPA file',
  pays: { kinds: ['iban'], currencies: ['eur'] },
  blockers: [detailsRejected],
}
