import { startBulkAction } from '#contract/bulk-actions.ts'
import { type ListedSale, SalesAttribution } from '#contract/sales.ts'
import { startedFrom } from '../../shared/bulk-actions.ts'
import { PartnerField } from '../../shared/PartnerPicker.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { TextAreaField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { basicWords } from '../../words/basic.ts'
import { labelWords } from '../../words/fields.ts'
import { saleWords } from '../../words/leads.ts'

type Many = { accountId: string; sales: readonly ListedSale[]; onStarted: () => void }

/** Credits sales in the background: each to its likely partner, the others to one that is chosen. */
export const AttributeMany = defineFormAction(
  startBulkAction,
  SalesAttribution,
  ({ accountId, sales, onStarted }: Many) => {
    const ids = sales.map(({ id }) => id)
    const likely = sales.flatMap(({ id, likelyLead }) => (likelyLead ? { id, lead: likelyLead } : []))
    const rest = sales.length - likely.length
    const partners = [...Map.groupBy(likely, ({ lead }) => lead.partnerId).values()]
    const words = saleWords.attribute
    return {
      heading: words.many({ count: sales.length }),
      why: words.explainMany,
      submit: words.submit,
      initial: {
        partnerId: undefined as string | undefined,
        reason: rest === 0 ? words.likelyReason : '',
      },
      check: ({ partnerId, reason }) => ({
        partnerId: rest > 0 && !partnerId ? basicWords.rules.required({ label: labelWords.partner }) : undefined,
        reason: reason.trim() === '' ? basicWords.rules.required({ label: labelWords.reason }) : undefined,
      }),
      send: (change) => ({
        params: { id: accountId },
        body: {
          action: 'attribute-sales',
          ids,
          change,
          sales: likely.map(({ id, lead }) => ({ id, leadId: lead.id })),
        },
      }),
      part: 'change',
      done: startedFrom({ accountId, ids, onStarted }),
      fields: ({ field, set, values: { partnerId } }) => (
        <>
          {partners.length > 0 && (
            <Facts
              beside
              label={saleWords.columns.likely}
              facts={partners.map((its) => ({
                id: its[0]!.lead.partnerId,
                label: its[0]!.lead.partnerName,
                value: words.toPartner({ count: its.length }),
              }))}
            />
          )}
          {rest > 0 && (
            <PartnerField
              {...field('partnerId', labelWords.partner)}
              accountId={accountId}
              value={partnerId ?? null}
              help={partners.length > 0 && words.rest({ count: rest })}
              onChange={(id) => set({ partnerId: id ?? undefined })}
            />
          )}
          <TextAreaField {...field('reason')} rows={2} />
        </>
      ),
    }
  },
)
