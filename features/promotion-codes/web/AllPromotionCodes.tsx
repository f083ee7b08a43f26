import { useMemo } from 'react'
import { useCall } from '#web/calls.ts'
import { DataTable } from '#web/lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '#web/lists/list-types.ts'
import { useList } from '#web/lists/useList.ts'
import { defineColumns } from '#web/shared/columns.tsx'
import { partnerFilter } from '#web/shared/filters.tsx'
import { ToPartner } from '#web/shared/links.tsx'
import { PartnerField } from '#web/shared/PartnerPicker.tsx'
import { StatusBadge, statusFilter } from '#web/shared/StatusBadge.tsx'
import { usePartnerCounts } from '#web/shared/tab-counts.ts'
import { useAccount } from '#web/shell/current.ts'
import { EntryPage } from '#web/shell/EntryPage.tsx'
import { defineAction } from '#web/ui/act.tsx'
import { exposeAction } from '#web/ui/actions.tsx'
import { TextField } from '#web/ui/fields.tsx'
import { defineFormAction } from '#web/ui/form-act.tsx'
import { PartnersIcon } from '#web/ui/icons.tsx'
import { ActButton } from '#web/ui/offers.tsx'
import { toastRefusal } from '#web/ui/refusals.ts'
import { showToast } from '#web/ui/toasts.ts'
import { basicWords } from '#web/words/basic.ts'
import { fieldWords } from '#web/words/fields.ts'
import { partnerWords } from '#web/words/partners.ts'
import {
  AssignedPromotionCode,
  assignPromotionCode,
  deletePromotionCode,
  downloadAllPromotionCodes,
  type ListedPromotionCode,
  type listAllPromotionCodes,
  promotionCodeSources,
  promotionCodeStates,
  retryPromotionCode,
} from '../contract.ts'
import { promotionCodeTabWords } from '../tab-text.ts'
import { promotionCodeWords as words } from '../text.ts'
import { allPromotionCodes } from './queries.ts'

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
        name={promotionCodeTabWords.label}
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
    done: partnerWords.promotionCodes.added,
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
