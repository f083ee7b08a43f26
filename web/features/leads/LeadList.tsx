import { useMemo } from 'react'
import type { Role } from '#contract/auth.ts'
import { bulkActionKinds, subjectsOfAction } from '#contract/bulk-actions.ts'
import {
  changeLeadStatus,
  downloadLeads,
  downloadPartnerLeads,
  type Lead,
  leadSources,
  leadStatuses,
  type listLeads,
  submitLead,
} from '#contract/leads.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '../../lists/list-types.ts'
import { useSelection } from '../../lists/selection.ts'
import { useList } from '../../lists/useList.ts'
import { useTotals } from '../../lists/useTotals.ts'
import { BulkProgress } from '../../shared/BulkProgress.tsx'
import { useBroughtByFilter } from '../../shared/brought-by.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { useDuplicates } from '../../shared/duplicates.ts'
import { daysFilter, partnerFilter } from '../../shared/filters.tsx'
import { useLinkFilter } from '../../shared/link-filter.ts'
import { ToLead, ToPartner } from '../../shared/links.tsx'
import { countedStatuses } from '../../shared/lists-behind.ts'
import { isAtPartner, isTeam } from '../../shared/roles.ts'
import { StatusBadge, statusFilter } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { AddButton } from '../../ui/GoButton.tsx'
import { LeadsIcon } from '../../ui/icons.tsx'
import { Name } from '../../ui/Name.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { fieldWords } from '../../words/fields.ts'
import { leadWords } from '../../words/leads.ts'
import { pageWords } from '../../words/shell.ts'
import { BulkActs } from './bulk.tsx'
import { Unanswered } from './LeadFacts.tsx'
import styles from './Leads.module.css'
import { leadList, leadTotalsQuery } from './queries.ts'
import { sourceLabel } from './words.ts'

const shownKinds = bulkActionKinds.filter((kind) => subjectsOfAction[kind] === 'leads')

const column = defineColumns<typeof listLeads>()

export const addLead = (
  <AddButton needs={submitLead} go={{ to: '/leads/new' }}>
    {pageWords.addLead}
  </AddButton>
)

/**
 * The owner sees every lead of the account; a partner their own, masked as the account's settings require. The key clears
 * the selection when the role changes.
 */
export const LeadList = ({ role }: { role: Role }) => <List key={JSON.stringify(role)} role={role} />

function List({ role }: { role: Role }) {
  const { id, timeZone, partnerLeadSubmission } = useAccount()
  const list = useList(leadList(role))
  const { table, answer } = list
  const duplicates = useDuplicates(list, leadList(role).page)
  const owns = isTeam(role)
  const totals = useTotals(list, owns, (search) => leadTotalsQuery(id, search))
  const link = useLinkFilter(table)
  const broughtBy = useBroughtByFilter(table, id)
  const items = answer.data?.items
  const columns = useMemo(
    () =>
      columnsFor(
        owns,
        timeZone,
        items?.map(({ id }) => id),
      ),
    [owns, timeZone, items],
  )
  const selection = useSelection(leadList(role), ({ id }: Lead) => id)
  const changes = usePermission()(changeLeadStatus) && owns
  return (
    <>
      {owns && <BulkProgress accountId={id} kinds={shownKinds} />}
      <DataTable
        name={pageWords.leads}
        plural={leadWords.plural}
        rowsAre="leads"
        amongThem={duplicates}
        list={list}
        csv={fileFor(role)}
        columns={columns}
        totals={totals}
        nameOf={displayNameOf}
        selection={changes ? selection : undefined}
        bulk={<BulkActs {...selection} />}
        filters={[...filtersFor(owns ? id : null, timeZone), ...link, ...broughtBy]}
        empty={{
          icon: <LeadsIcon />,
          hint: owns ? leadWords.why : leadWords.whyPartner,
          action: (owns || partnerLeadSubmission) && addLead,
        }}
      />
    </>
  )
}

const displayNameOf = ({ displayName }: Lead) => displayName

const fileFor = (role: Role) =>
  isAtPartner(role)
    ? { endpoint: downloadPartnerLeads, params: { id: role.partnerId }, atHead: true, onlyShown: true }
    : { endpoint: downloadLeads, params: { id: isTeam(role) ? role.accountId : '' }, atHead: true }

function filtersFor(accountId: string | null, timeZone: string): FilterOf<typeof leadList>[] {
  const status = statusFilter('status', fieldWords.status, 'lead', leadStatuses)
  status.choices.push({ value: countedStatuses, label: leadWords.counted })
  const source: FilterOf<typeof leadList> = {
    name: 'source',
    label: fieldWords.source,
    choices: leadSources.map((value) => ({ value, label: sourceLabel(value) })),
  }
  const created = daysFilter(fieldWords.created, timeZone)
  if (!accountId) return [status, source, created]
  const partner = partnerFilter('partnerId', fieldWords.partner, accountId, leadWords.noPartner)
  return [status, partner, source, created, { name: 'unanswered', label: leadWords.unanswered, flag: true }]
}

/** `among`: the ids of all leads on this page of the list. */
function columnsFor(
  owns: boolean,
  timeZone: string,
  among: readonly string[] | undefined,
): ColumnOf<typeof listLeads>[] {
  const partner: ColumnOf<typeof listLeads> = column.of(
    'partnerName',
    fieldWords.partner,
    { card: 'under' },
    ({ partnerId, partnerName }) => (
      <Name>
        <ToPartner id={partnerId} plain none={leadWords.noPartner}>
          {partnerName}
        </ToPartner>
      </Name>
    ),
  )
  return [
    column.first(
      ['displayName', 'company', 'email', 'phone'],
      fieldWords.lead,
      { sort: 'name', total: () => fieldWords.total },
      (lead) => nameOf(lead, among),
    ),
    ...(owns ? [partner] : []),
    column.of('status', fieldWords.status, { csv: ['status', 'selfReferral'], card: 'beside' }, (lead) => (
      <>
        <StatusBadge of="lead" status={lead.status} />
        <div>{owns && <Unanswered lead={lead} />}</div>
        {lead.selfReferral && <p className="small warning">{leadWords.selfReferral[lead.selfReferral]}</p>}
      </>
    )),
    column.count('numberOfSales', fieldWords.sales, { sum: true }),
    // partners may not sort by an amount hidden from them
    column.money('salesRevenue', fieldWords.revenue, { sort: owns ? 'salesRevenue' : undefined, sum: owns }),
    column.money('salesRevenueShare', fieldWords.commission, { sum: true }),
    column.day('createdAt', fieldWords.created, timeZone, { sort: true }),
  ]
}

/** Returns the name and, below it, the company, email or phone, whichever is known first. */
function nameOf({ id, displayName, company, email, phone }: Lead, among: readonly string[] | undefined) {
  const below = [company, email, phone].find((text) => text && text !== displayName)
  return (
    <div className={`stack gap-0 ${below ? styles.two : ''}`}>
      <Name>
        <ToLead id={id} among={among}>
          {displayName}
        </ToLead>
      </Name>
      {below && <p className="lines muted plain small">{below}</p>}
    </div>
  )
}
