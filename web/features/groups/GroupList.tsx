import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Account } from '#contract/accounts.ts'
import { formatNumber } from '#contract/format.ts'
import { createGroup, downloadGroups, type listGroups } from '#contract/groups.ts'
import type { Terms } from '#contract/terms.ts'
import { termsSentence } from '#contract/terms-sentence.ts'

import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { sentenceWordingFor, useAccountTerms } from '../../shared/terms.ts'
import { useOwnAccount } from '../../shell/current.ts'
import { PartnersIcon } from '../../ui/icons.tsx'
import { lateAct } from '../../ui/late-acts.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { fieldWords } from '../../words/fields.ts'
import { groupWords } from '../../words/groups.ts'
import { pageWords } from '../../words/shell.ts'
import { groups } from './queries.ts'
import { rewardInSentence } from './RewardSentence.tsx'

const column = defineColumns<typeof listGroups>()

const add = lateAct(async () => (await import('./AddGroup.tsx')).AddGroup, {
  label: groupWords.add,
  needs: createGroup,
})

/** The groups of an account, each with its terms in one sentence and the number of its partners. */
export function GroupList() {
  const account = useOwnAccount()
  const list = useList(groups({ id: account.id }))
  const { answer } = list
  const terms = useAccountTerms(account)
  const columns = useMemo(() => columnsFor(account, terms), [account, terms])
  return (
    <>
      {answer.data?.total === 1 && <p className="muted">{groupWords.everyone}</p>}
      <DataTable
        name={groupWords.tab}
        page={pageWords.partners}
        plural={groupWords.plural}
        rowsAre="groups"
        list={list}
        csv={{ endpoint: downloadGroups, atHead: true }}
        columns={columns}
        nameOf={({ name }) => name}
        empty={{ icon: <PartnersIcon />, hint: groupWords.everyone, action: <AddGroupButton id={account.id} /> }}
      />
    </>
  )
}

/** Opens the dialog 'Add group'. */
export const AddGroupButton = ({ id }: Pick<Account, 'id'>) => <ActButton adds act={add} of={{ id }} />

const columnsFor = (account: Account, inherited: Terms): ColumnOf<typeof listGroups>[] => [
  column.first(['name'], groupWords.label, { sort: true }, ({ id, name }) => (
    <Link to="/partners/groups/$groupId" params={{ groupId: id }}>
      {name}
    </Link>
  )),
  column.of(
    'commissionSettings',
    groupWords.terms,
    { csv: ['commissionSettings', 'rules'], card: 'under' },
    ({ terms, reward }) =>
      reward
        ? rewardInSentence({ reward, terms: terms ?? inherited, account })
        : termsSentence(terms ?? inherited, sentenceWordingFor(account)),
  ),
  column.of(
    'partners',
    fieldWords.partners,
    { sort: true, numeric: true, card: 'figure' },
    ({ id, kind, partners }) => (
      <Link to="/partners" search={{ tab: kind === 'customers' ? kind : undefined, groupId: id }}>
        {formatNumber(partners)}
      </Link>
    ),
  ),
]
