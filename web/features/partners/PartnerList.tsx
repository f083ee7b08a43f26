import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Role } from '#contract/auth.ts'
import { bulkActionKinds, subjectsOfAction } from '#contract/bulk-actions.ts'
import {
  agreementStates,
  createPartner,
  createSubPartner,
  downloadPartners,
  downloadSubPartners,
  type Partner,
  partnerStates,
} from '#contract/partners.ts'
import { approveForTaxYear } from '#features/tax-years/contract.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { FilterOf } from '../../lists/list-types.ts'
import { useSelection } from '../../lists/selection.ts'
import { TreeRows } from '../../lists/TreeRows.tsx'
import { useList } from '../../lists/useList.ts'
import { useTotals } from '../../lists/useTotals.ts'
import { agreementVersionsQuery } from '../../shared/agreement.ts'
import { announce } from '../../shared/announce-act.ts'
import { BulkProgress } from '../../shared/BulkProgress.tsx'
import { daysFilter, partnerFilter } from '../../shared/filters.tsx'
import { type GroupChoices, useGroupChoices, useGroupsOfKind } from '../../shared/groups.ts'
import { isAtPartner, isTeam } from '../../shared/roles.ts'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { useAccount, useAccountRole } from '../../shell/current.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { AddButton } from '../../ui/GoButton.tsx'
import { PartnersIcon } from '../../ui/icons.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { InHead } from '../../ui/Page.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { useAddress } from '../../ui/useAddress.ts'
import { fieldWords } from '../../words/fields.ts'
import { groupWords } from '../../words/groups.ts'
import { partnerWords } from '../../words/partners.ts'
import { pageWords } from '../../words/shell.ts'
import { BulkActs } from './bulk.tsx'
import { columnsFor } from './columns.tsx'
import styles from './Partners.module.css'
import { partnerList, partnerTotalsQuery, showsTree, treeLevelQuery } from './queries.ts'

/** Actions whose progress is shown above the list; reminders are sent from the payouts. */
const shownKinds = bulkActionKinds.filter((kind) => subjectsOfAction[kind] === 'partners' && kind !== 'remind-partners')

export const addPartner = (
  <AddButton needs={createSubPartner} go={{ to: '/partners/new' }}>
    {pageWords.addPartner}
  </AddButton>
)

/** The key clears the selection when the role changes. */
export function PartnerList() {
  const role = useAccountRole()
  return <List key={JSON.stringify(role)} role={role} />
}

function List({ role }: { role: Role }) {
  const account = useAccount()
  const router = useRouter()
  const { params, change } = useAddress()
  const tree = params.tree === 'true'
  const isTree = showsTree(params, role)
  const list = useList(partnerList(role), { enabled: !isTree })
  const { table, answer } = list
  const { sort } = table.query
  const top = useInfiniteQuery({ ...treeLevelQuery(role, null, sort), enabled: isTree })
  const may = usePermission()
  const owns = isTeam(role)
  const changes = owns && may(createPartner)
  const totals = useTotals(list, owns && !isTree, (search) => partnerTotalsQuery(account.id, search))
  const selection = useSelection(partnerList(role), ({ id }: Partner) => id)
  const groups = useGroupChoices(owns ? account.id : null)
  const ofPartners = useGroupsOfKind(owns ? account.id : null, 'partners')
  const grouped = groups.length > 0
  const { data: agreement } = useQuery({ ...agreementVersionsQuery(account.id), enabled: owns })
  const actions = useMemo(() => (changes ? actionsBy(router) : undefined), [changes, router])
  const columns = useMemo(() => columnsFor(owns, grouped), [owns, grouped])
  return (
    <>
      {owns && (
        <InHead>
          <ActButton act={announce} of={{ accountId: account.id, list: table.query }} />
        </InHead>
      )}
      <BulkProgress accountId={account.id} kinds={shownKinds} />
      <DataTable
        name={pageWords.partners}
        plural={partnerWords.plural}
        rowsAre="partners"
        csv={fileFor(role)}
        list={{ ...list, answer: isTree ? { ...top, data: top.data?.pages[0], isPlaceholderData: false } : answer }}
        columns={columns}
        totals={isTree ? undefined : totals}
        nameOf={nameOf}
        filters={filtersFor(owns ? account : null, ofPartners, (agreement?.items.length ?? 0) > 0)}
        selection={changes || (owns && may(approveForTaxYear)) ? selection : undefined}
        bulk={<BulkActs selection={selection} groups={groups} />}
        empty={{
          icon: <PartnersIcon />,
          hint: owns ? partnerWords.noneYet : partnerWords.noneYetOfPartner,
          action: (owns || account.invitationsFromPartners) && addPartner,
        }}
        choice={
          <TreeSwitch
            on={tree}
            flat={tree && !isTree}
            onChange={(on) => change({ tree: on ? 'true' : undefined, cursor: undefined })}
          />
        }
        instead={
          isTree
            ? (shown) => (
                <TreeRows
                  {...shown}
                  name={pageWords.partners}
                  tree={{
                    level: (parent) => treeLevelQuery(role, parent, sort),
                    below: ({ stats }) => stats.numberOfPartners,
                    belowWords: (name) => partnerWords.subPartnersOf({ name }),
                  }}
                  keyOf={({ id }) => id}
                  nameOf={nameOf}
                  actions={actions}
                />
              )
            : undefined
        }
        actions={actions}
      />
    </>
  )
}

const nameOf = ({ displayName }: Partner) => displayName

const actionsBy =
  (router: ReturnType<typeof useRouter>) =>
  ({ id }: Partner) => [
    {
      label: partnerWords.edit,
      run: () => router.navigate({ to: '/partners/$partnerId/update', params: { partnerId: id } }),
    },
    {
      label: partnerWords.addSubPartner,
      run: () => router.navigate({ to: '/partners/new', search: { parent: id } }),
    },
  ]

const fileFor = (role: Role) =>
  isAtPartner(role)
    ? { endpoint: downloadSubPartners, params: { id: role.partnerId }, atHead: true, onlyShown: true }
    : { endpoint: downloadPartners, params: { id: isTeam(role) ? role.accountId : '' }, atHead: true }

type SwitchProps = { on: boolean; flat: boolean; onChange: (on: boolean) => void }

function TreeSwitch({ on, flat, onChange }: SwitchProps) {
  return (
    <>
      <span className="strong">
        <Checkbox label={partnerWords.asTree} checked={on} onChange={onChange} />
      </span>
      {flat && (
        <span role="status" className={`muted ${styles.flat}`}>
          {partnerWords.treeFlat}
        </span>
      )}
    </>
  )
}

const agreementChoices = agreementStates.map((value) => ({ value, label: partnerWords.agreementStates[value] }))

function filtersFor(
  account: { id: string; timeZone: string } | null,
  groups: GroupChoices,
  agreed: boolean,
): FilterOf<typeof partnerList>[] {
  const status = statusFilter('state', fieldWords.status, 'partner', partnerStates)
  if (!account) return [status]
  const parent = partnerFilter('parentPartnerId', partnerWords.parent, account.id, partnerWords.topLevel)
  const group = groups.length > 1 && [{ name: 'groupId', label: groupWords.label, choices: groups } as const]
  const agreement = agreed && [{ name: 'agreement', label: partnerWords.agreement, choices: agreementChoices } as const]
  return [status, parent, ...(group || []), ...(agreement || []), daysFilter(fieldWords.created, account.timeZone)]
}
