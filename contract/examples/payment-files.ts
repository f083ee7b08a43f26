import type * as room from '../payment-files.ts'
import type { ExamplesOf } from './example.ts'
import { ids, onlyPage, paymentFile, payout } from './objects.ts'

export const paymentFiles: ExamplesOf<typeof room> = {
  listPaymentFiles: { reply: onlyPage(paymentFile) },
  createPaymentFile: {
    refused: [
      'batch_by_person',
      'batch_empty',
      'batch_not_ready',
      'execution_date_of_bank',
      'execution_date_wrong',
      'method_not_on',
      'payouts_unread',
      'second_person_needed',
      'payouts_paused',
      'payout_above_limit',
      'payouts_changed',
      'run_above_limit',
      'unknown_payout_in_account',
      'wise_not_connected',
      'wise_refuses',
    ],
    body: { method: 'csv', ids: [ids.payout], shown: [{ id: ids.payout, amount: payout.amount }] },
    reply: paymentFile,
  },
  getPaymentFile: { reply: paymentFile },
  downloadPaymentFile: { refused: ['password_first', 'payment_file_spent'] },
  applyPayoutResults: {
    refused: [
      'import_not_unicode',
      'import_too_wide',
      'import_without_header',
      'result_account_differs',
      'result_amount_differs',
      'result_before_approval',
      'result_by_hand',
      'result_of_canceled',
      'result_of_earlier_file',
      'result_of_other_method',
      'result_paid_twice',
      'result_recipient_differs',
      'result_too_late',
      'result_unclear',
      'result_unknown',
      'result_without_transfer',
      'results_columns',
      'results_empty',
      'results_not_readable',
      'results_too_many',
      'results_unreadable',
    ],
    body: {
      file: 'recipientId,amount,paymentReference,status,transferId\n700011223,79.84,PO-1064,completed,1000224488\n',
      dryRun: true,
    },
    reply: {
      rows: [
        {
          row: 2,
          reference: 'PO-1064',
          payoutId: ids.payout,
          partnerName: payout.partnerName,
          amount: 79_84,
          was: 'approved',
          becomes: 'paid',
          error: null,
        },
      ],
      applied: 0,
    },
  },
}
