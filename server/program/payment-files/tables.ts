import { BANK, declareTables, LOGIN, removeWithRecords, splitNames } from '../../platform/database/declare-tables.ts'
import { anyText, currency, invoiceTerms } from '../../platform/database/shapes.ts'

declareTables({
  payment_files: {
    subject: 'payment-file',
    columns: `account_id id number method message_id execution_date count amount currency head_sealed profile_id sha256
      created_by created_at`,
    exported: {
      first: splitNames('id number method message_id execution_date count amount currency created_at'),
      stays: { [BANK]: ['profile_id'], [LOGIN]: ['created_by'], 'of bytes with bank details': ['sha256'] },
      shapes: { ...currency, message_id: anyText(35) },
    },
  },
  payment_file_payouts: {
    columns:
      'account_id file_id payout_id turn reference amount pay_amount invoice_terms live by_name name_check name_checked_at',
    personal: [removeWithRecords('partner', 'recipient_id')],
    exported: {
      stays: { [BANK]: ['recipient_id'] },
      order: 'file_id, payout_id',
      shapes: { reference: anyText(35), ...invoiceTerms },
    },
  },
})
