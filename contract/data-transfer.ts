import { csvLimit } from './csv.ts'
import { endpoint, rights } from './endpoint.ts'

/** Header with the size of an export in bytes: an estimate, since nothing is packed before it is sent. */
export const ESTIMATED_BYTES = 'x-estimated-bytes'

export const exportAccount = endpoint('exportAccount', 'GET /accounts/:id/export', {
  tag: 'accounts',
  summary: 'Export everything in the account except payout details, tax forms, keys and secrets, as a zip of CSV files',
  allow: rights.own,
  freshProof: true,
  limit: csvLimit,
  subject: 'account',
  produces: 'application/zip',
})
