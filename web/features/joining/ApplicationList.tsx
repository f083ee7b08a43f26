import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  type Application,
  applicationStatuses,
  decideApplications,
  downloadApplications,
  type listApplications,
  MOST_DECIDED,
  saveProgram,
} from '#contract/joining.ts'
import { formatAge } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '../../lists/list-types.ts'
import { useSelection } from '../../lists/selection.ts'
import { searchText } from '../../lists/table-state.ts'
import { useTable } from '../../lists/useTable.ts'
import { columnsOf } from '../../shared/columns.tsx'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { PartnersIcon } from '../../ui/icons.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useMay } from '../../ui/may.ts'
import { Name } from '../../ui/Name.tsx'
import { useActs } from '../../ui/useActs.tsx'
import { useAddress } from '../../ui/useAddress.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { applicationWords as words } from '../../words/joining.ts'
import { pageWords } from '../../words/shell.ts'
import styles from './Applications.module.css'
import { canApprove, canReject, isOverdue, nameOf, waitsSince } from './names.ts'
import { applications, applicationTable } from './queries.ts'

const Approve = lazyPart(async () => (await import('./decide.tsx')).Approve)
const Reject = lazyPart(async () => (await import('./decide.tsx')).Reject)
const OneApplication = lazyPart(async () => (await import('./OneApplication.tsx')).OneApplication)

/** The applications of an account; the one named in the address as `application` is open. */
export function ApplicationList() {
  const { id: accountId, timeZone } = useAccount()
  const table = useTable(applicationTable)
  const answer = useQuery(applications(accountId, table.query))
  const { params, change } = useAddress()
  const { start, dialog } = useActs()
  const may = useMay()
  const decides = may(decideApplications)
  const selection = useSelection<Application>(
    ({ id }) => id,
    (page) => applications(accountId, { ...table.query, ...page }),
  )
  const columns = useMemo(() => columnsIn(timeZone), [timeZone])
  const toDecide = (some: Application[]) => ({
    accountId,
    applications: some,
    onDecided: () => selection.set(some, false),
  })
  const waiting = selection.rows.filter(canReject)
  const tooMany = words.tooMany({ max: MOST_DECIDED })
  const opened = searchText(params.application)
  return (
    <>
      <OneApplication.OnUse />
      <Approve.OnUse />
      <DataTable
        name={words.tab}
        page={pageWords.partners}
        plural={words.plural}
        rowsAre="applications"
        table={table}
        csv={{ endpoint: downloadApplications, params: { id: accountId }, atHead: true }}
        answer={answer}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        filters={filters()}
        selection={decides ? selection : undefined}
        selectable={canApprove}
        bulk={
          <>
            <Button
              small
              look="primary"
              needs={decideApplications}
              cannot={selection.count > MOST_DECIDED && tooMany}
              onClick={() => start(Approve, toDecide(selection.rows))}
            >
              {words.approve}
            </Button>
            <Button
              small
              look="remove"
              needs={decideApplications}
              cannot={waiting.length === 0 ? words.noneWaits : waiting.length > MOST_DECIDED && tooMany}
              onClick={() => start(Reject, toDecide(waiting))}
            >
              {words.reject}
            </Button>
          </>
        }
        actions={
          decides
            ? (row) => [
                ...(canApprove(row) ? [{ label: words.approve, run: () => start(Approve, toDecide([row])) }] : []),
                ...(canReject(row)
                  ? [{ label: words.reject, danger: true, run: () => start(Reject, toDecide([row])) }]
                  : []),
              ]
            : undefined
        }
        empty={{
          icon: <PartnersIcon />,
          hint: words.none,
          action: (
            <LinkButton needs={saveProgram} to="/account/settings" search={{ tab: 'program' }}>
              {words.setUp}
            </LinkButton>
          ),
        }}
      />
      {opened && (
        <OneApplication
          key={opened}
          id={opened}
          timeZone={timeZone}
          onClose={() => change({ application: undefined }, { trail: table.trail })}
        />
      )}
      {dialog}
    </>
  )
}

const ordered = ['waiting', ...applicationStatuses.filter((status) => status !== 'waiting')] as const

const filters = (): FilterOf<typeof applicationTable>[] => [
  statusFilter('status', fieldWords.status, 'application', ordered),
]

const column = columnsOf<typeof listApplications>()

const columnsIn = (timeZone: string): ColumnOf<typeof listApplications>[] => [
  {
    head: words.applicant,
    csv: ['firstName', 'lastName', 'email'],
    cell: (row) => (
      <Link
        to="."
        search={(before: object) => ({ ...before, application: row.id })}
        state={(before) => before}
        resetScroll={false}
      >
        {nameOf(row)}
      </Link>
    ),
  },
  column.day('appliedAt', words.applied, timeZone, { sort: true }),
  {
    head: words.age,
    field: 'age',
    short: true,
    card: 'figure',
    cell: (row) => <Age since={waitsSince(row)} />,
  },
  {
    head: words.flags,
    field: 'flags',
    card: 'under',
    cell: ({ flags }) =>
      flags.length > 0 ? (
        <span className={`row gap-1 ${styles.flags}`}>
          {flags.map((flag) => (
            <Badge key={flag} tone="needs">
              {words.flag[flag]}
            </Badge>
          ))}
        </span>
      ) : (
        <span className="muted">{basicWords.absent}</span>
      ),
  },
  {
    head: words.recruitedBy,
    field: 'parentPartnerName',
    card: 'figure',
    cell: ({ parentPartnerId, parentPartnerName }) =>
      parentPartnerId ? (
        <Name>
          <Link to="/partners/$partnerId" params={{ partnerId: parentPartnerId }} className="plain">
            {parentPartnerName}
          </Link>
        </Name>
      ) : (
        <span className="muted">{basicWords.absent}</span>
      ),
  },
  column.badge('status', fieldWords.status, 'application'),
]

/** How long an application has waited, amber from a day on. */
const Age = ({ since }: { since: string | null }) =>
  since === null ? (
    <span className="muted">{basicWords.absent}</span>
  ) : (
    <span className={isOverdue(since) ? 'strong warning' : undefined}>{formatAge(since)}</span>
  )
