import { onCash } from './program/invoices/issue.ts'
import { handInOnCash } from './program/payouts/cash.ts'

// Imported by whatever moves payouts: the server, the worker, commands and tests.

handInOnCash(onCash)
