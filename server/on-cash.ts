import { onCash } from './program/invoices/issue.ts'
import { registerCashListener } from './program/payouts/cash-ledger.ts'

// Imported by whatever moves payouts: the server, the worker, commands and tests.

registerCashListener(onCash)
