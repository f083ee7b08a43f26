import { InvoicingChange, NewInvoiceDetails } from '#contract/invoices.ts'
import { declareTables, emptyColumns, LOGIN } from '../../platform/database/declare-tables.ts'
import { isErasedSql } from '../../platform/database/erased-rows.ts'
import { anyText, callFields } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  invoicing_settings: {
    columns: `account_id enabled required legal_name address country vat_id company_number peppol_id vat_rate tax_forms ein phone journal_accounts
      updated_at`,
    exported: {
      order: 'account_id',
      shapes: {
        ...callFields(InvoicingChange, 'legalName address vatId companyNumber peppolId phone journalAccounts'),
      },
    },
  },
  invoice_series: {
    columns: 'account_id prefix next_number unsure_since updated_at',
    exported: { order: 'account_id' },
  },
  invoice_details: {
    columns: 'account_id partner_id version country small_business agreed_words user_id agreed_at',
    personal: [emptyColumns('partner', 'legal_name address vat_id tax_number company_number peppol_id')],
    exported: {
      order: 'partner_id, version',
      stays: { [LOGIN]: ['user_id'] },
      shapes: {
        ...callFields(NewInvoiceDetails, 'legalName address vatId taxNumber companyNumber peppolId'),
        agreed_words: anyText(),
      },
    },
    erased: {
      partner({ partnerId }) {
        const ofPartner = sql`t.partner_id = ${partnerId}`
        return {
          key: [
            ['partner_id', 'uuid'],
            ['version', 'integer'],
          ],
          which: ofPartner,
        }
      },
    },
    ofErased: { partner: isErasedSql('partner', 't.partner_id') },
  },
})
