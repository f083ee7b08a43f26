import { useQuery } from '@tanstack/react-query'
import type { InvoiceDetails } from '#contract/invoices.ts'
import type { Partner } from '#contract/partners.ts'
import { getPayoutSettings, type PayoutSettings } from '#contract/payout-settings.ts'
import { isExpired } from '#contract/tax-rules.ts'
import { formatDate, formatDateAt, todayIn, toYear } from '../../format.ts'
import { depositLine } from '../../shared/deposit-line.ts'
import { invoiceDetailsQuery } from '../../shared/invoices.ts'
import { payoutSettingsQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import { wayWords } from '../../words/payout-methods.ts'
import { pageWords } from '../../words/shell.ts'
import { ApprovalSwitches } from './ApprovalSwitch.tsx'
import { PromotionCodes } from './PromotionCodes.tsx'

/**
 * The conditions for paying and crediting a partner: approval by year, the bank account by its last four digits, the tax
 * form on file, and promotion codes.
 */
export function Setup({ partner }: { partner: Partner }) {
  const { timeZone } = useAccount()
  const heading = partnerWords.setup.heading
  const mayRead = usePermission()(getPayoutSettings)
  const answer = useQuery({ ...payoutSettingsQuery(partner.id), enabled: mayRead })
  const invoices = useQuery({ ...invoiceDetailsQuery(partner.id), enabled: mayRead })
  const data = !mayRead ? null : invoices.isPending ? undefined : answer.data
  return (
    <PendingPanel heading={heading} answer={{ ...answer, data }} rows={3}>
      {(settings) => (
        <>
          <ApprovalSwitches partner={partner} />
          <Facts
            label={heading}
            facts={[
              ...(settings ? accountFacts(settings, timeZone) : []),
              partner.payoutMethod && { label: wayWords.payBy.paidBy, value: wayWords.names[partner.payoutMethod] },
              invoices.data?.enabled && invoiceFact(invoices.data),
              formFact(partner, toYear(todayIn(timeZone))),
            ]}
          />
          <PromotionCodes partner={partner} />
        </>
      )}
    </PendingPanel>
  )
}

function accountFacts({ depositInfo, updatedAt, nameCheck }: PayoutSettings, timeZone: string): Fact[] {
  const label = partnerWords.setup.payoutDetails
  if (!depositInfo) return [{ label, value: partnerWords.setup.notAdded, warns: true }]
  return [
    { label, value: depositLine(depositInfo) },
    updatedAt && { label: partnerWords.setup.changed, value: formatDateAt(updatedAt, timeZone) },
    nameCheck && { label: partnerWords.setup.nameCheck, value: nameCheck.message, warns: true },
  ]
}

/** The VAT of the partner's invoices, or why there are none. */
function invoiceFact({ version, treatment, words }: InvoiceDetails): Fact {
  const label = pageWords.invoices
  if (version === null) return { label, value: partnerWords.setup.noInvoiceDetails, warns: true }
  return { label, value: words, warns: treatment === null }
}

function formFact({ taxForm }: Partner, year: number): Fact {
  const label = fieldWords.taxForm
  if (!taxForm) return { label, value: basicWords.absent }
  const kind = partnerWords.payoutDetails.forms[taxForm.kind]
  const form = partnerWords.payoutDetails.form({ kind, date: formatDate(taxForm.receivedOn) })
  const { tinLast4 } = taxForm
  const value = tinLast4 ? partnerWords.payoutDetails.formEnding({ form, digits: tinLast4 }) : form
  if (!isExpired(taxForm, year)) return { label, value }
  return { label, value: partnerWords.setup.expired({ form: value }), warns: true }
}
