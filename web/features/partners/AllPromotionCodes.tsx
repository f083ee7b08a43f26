import { useMemo } from 'react'
import {
  AssignedPromotionCode,
  assignPromotionCode,
  deletePromotionCode,
  downloadAllPromotionCodes,
  type ListedPromotionCode,
  type listAllPromotionCodes,
  promotionCodeSources,
  promotionCodeStates,
} from '#contract/partners.ts'
import { retryPromotionCode } from '#contract/payment-providers.ts'
import { useCall } from '../../calls.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { partnerFilter } from '../../shared/filters.tsx'
import { ToPartner } from '../../shared/links.tsx'
import { PartnerField } from '../../shared/PartnerPicker.tsx'
import { StatusBadge, statusFilter } from '../../shared/StatusBadge.tsx'
import { usePartnerCounts } from '../../shared/tab-counts.ts'
import { useAccount } from '../../shell/current.ts'
import { EntryPage } from '../../shell/EntryPage.tsx'
import { defineAction } from '../../ui/act.tsx'
import { exposeAction } from '../../ui/actions.tsx'
import { TextField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { PartnersIcon } from '../../ui/icons.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { toastRefusal } from '../../ui/refusals.ts'
import { showToast } from '../../ui/toasts.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import { pageWords } from '../../words/shell.ts'
import { allPromotionCodes } from './code-queries.ts'

const words = partnerWords.promotionCodes
const column = defineColumns<typeof listAllPromotionCodes>()

/** The promotion codes of all partners with the sales that used them. */
export function AllPromotionCodes() {
  const account = useAccount()
  const list = useList(allPromotionCodes({ id: account.id }))
  const columns = useMemo(() => columnsIn(account.timeZone), [account.timeZone])
  const retry = useCall(retryPromotionCode, { onSuccess: () => showToast(words.retried), onError: toastRefusal })
  const add = <ActButton adds act={Add} of={account} />
  return (
    <EntryPage counts={usePartnerCounts(account.id)} actions={add}>
      <DataTable
        name={pageWords.promotionCodes}
        plural={words.plural}
        rowsAre="codes"
        list={list}
        csv={{ endpoint: downloadAllPromotionCodes, atHead: true }}
        columns={columns}
        filters={filtersOf(account.id)}
        nameOf={({ code }) => code}
        actions={(code) => [
          code.state === 'failed' && {
            label: words.retry,
            needs: retryPromotionCode,
            run: () => retry.mutate({ params: { id: code.partnerId, codeId: code.id } }),
          },
          Remove,
        ]}
        empty={{ icon: <PartnersIcon />, hint: words.noneYet, action: add }}
      />
    </EntryPage>
  )
}

const sources = promotionCodeSources.map((value) => ({ value, label: words.sources[value] }))

const filtersOf = (accountId: string): FilterOf<typeof allPromotionCodes>[] => [
  partnerFilter('partnerId', fieldWords.partner, accountId),
  { name: 'source', label: words.source, choices: sources },
  statusFilter('state', fieldWords.status, 'promotionCode', promotionCodeStates),
]

const columnsIn = (timeZone: string): ColumnOf<typeof listAllPromotionCodes>[] => [
  column.first(['code'], words.code, { sort: true }, ({ code, partnerId }) => (
    <ToPartner id={partnerId}>
      <code className="wrap">{code}</code>
    </ToPartner>
  )),
  column.of('partnerName', fieldWords.partner, { card: 'under' }, ({ partnerName }) => partnerName),
  column.of('source', words.source, {}, ({ source }) => words.sources[source]),
  column.of('state', fieldWords.status, { card: 'beside' }, ({ state, stateReason }) => (
    <>
      <StatusBadge of="promotionCode" status={state} />
      {stateReason && <div className="muted small lines">{stateReason}</div>}
    </>
  )),
  column.count('sales', fieldWords.sales, { sort: true }),
  column.money('revenue', fieldWords.revenue, { sort: true }),
  column.day('lastUsedAt', words.lastUsed, timeZone, { sort: true }),
  column.day('createdAt', fieldWords.created, timeZone, { sort: true }),
]

const Add = exposeAction(
  defineFormAction(assignPromotionCode, AssignedPromotionCode, ({ id }: { id: string }) => ({
    heading: words.addToPartner,
    why: words.addWhy,
    done: words.added,
    initial: { partnerId: null as string | null, code: '' },
    check: ({ partnerId }) => ({
      partnerId: partnerId === null ? basicWords.rules.required({ label: fieldWords.partner }) : undefined,
    }),
    send: (body) => ({ params: { id }, body }),
    fields: ({ field }) => (
      <>
        <PartnerField {...field('partnerId', fieldWords.partner)} accountId={id} />
        <TextField {...field('code')} autoComplete="off" spellCheck={false} />
      </>
    ),
  })),
  { label: words.addToPartner },
)

const Remove = exposeAction(
  defineAction(deletePromotionCode, ({ id, partnerId, code, source }: ListedPromotionCode) => ({
    heading: words.removeHeading({ code }),
    submit: words.remove,
    why: source === 'entered' ? words.removeWhy : words.removeMadeWhy({ provider: words.sources[source] }),
    done: words.removed,
    send: { params: { id: partnerId, codeId: id } },
  })),
  { label: words.remove, danger: true },
)
