import { useQuery } from '@tanstack/react-query'
import { changeGoal, createGoal, deleteGoal, type Goal, type Group, MOST_GOALS } from '#contract/groups.ts'
import { useCall } from '../../calls.ts'
import { formatMoney } from '../../format.ts'
import { goalInWords } from '../../shared/goals.ts'
import { allGroupsQuery } from '../../shared/groups.ts'
import { useOwnAccount } from '../../shell/current.ts'
import { defineDelete } from '../../ui/act.tsx'
import { type Entry, exposeAction, useStart } from '../../ui/actions.tsx'
import { actionsColumn } from '../../ui/actions-column.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { ActButton, toMenuItems } from '../../ui/offers.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { type Column, PlainTable } from '../../ui/PlainTable.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { toastRefusal } from '../../ui/refusals.ts'
import { showToast } from '../../ui/toasts.ts'
import { goalWords } from '../../words/goals.ts'
import { groupWords } from '../../words/groups.ts'
import { toastWords } from '../../words/shell.ts'
import { termsWords } from '../../words/terms.ts'
import { AddGoal, EditGoal } from './GoalDialog.tsx'
import { goalsQuery } from './queries.ts'

type Row = Goal & { place: number }

/** The goals of a group in the order in which they are judged. */
export function Goals({ group }: { group: Group }) {
  const { id: accountId, defaultCurrency: currency } = useOwnAccount()
  const goals = useQuery(goalsQuery(group.id))
  const all = useQuery(allGroupsQuery(accountId))
  const groups = all.data?.items ?? []
  const may = usePermission()
  const start = useStart()
  const move = useCall(changeGoal, {
    onSuccess: () => showToast(toastWords.saved({ resource: goalWords.resource })),
    onError: toastRefusal,
  })
  const count = goals.data?.items.length ?? 0
  const given = {
    currency,
    groupId: group.id,
    others: groups.filter(({ id }) => id !== group.id).map(({ id, name }) => ({ value: id, label: name })),
  }

  function actionsOf(goal: Row): Entry<Row>[] {
    const { id, place } = goal
    const moveTo = (position: number) => move.mutate({ params: { id }, body: { position } })
    return [
      ...toMenuItems({ ...given, goal }, [EditGoal], start),
      { label: termsWords.moveUp, needs: changeGoal, disabled: place === 1, run: () => moveTo(place - 1) },
      { label: termsWords.moveDown, needs: changeGoal, disabled: place === count, run: () => moveTo(place + 1) },
      Deletion,
    ]
  }
  function followsOf({ bonus, moveToGroupId, appliesTo }: Goal) {
    if (bonus !== null) return goalWords.pays({ amount: formatMoney(bonus, currency) })
    const target = groups.find(({ id }) => id === moveToGroupId)?.name ?? groupWords.label
    return (
      <>
        {goalWords.moves({ group: target })}
        {appliesTo && <div className="muted small">{goalWords.reached[appliesTo]}</div>}
      </>
    )
  }
  const columns: Column<Row>[] = [
    { head: goalWords.columns.goal, cell: ({ name }) => <span className="wrap">{name}</span> },
    {
      head: goalWords.columns.when,
      under: true,
      cell: (goal) => <span className="wrap plain">{goalInWords(goal, currency)}</span>,
    },
    {
      head: goalWords.follows,
      under: true,
      cell: (goal) => <div className="wrap plain">{followsOf(goal)}</div>,
    },
    actionsColumn(({ name }) => name, actionsOf),
  ]

  return (
    // without the groups, a goal could name none to move partners to
    <PendingPanel heading={goalWords.heading} answer={all.data ? goals : { ...all, data: undefined }} rows={2}>
      {({ items }) => (
        <>
          <p className="inset muted">{items.length > 0 ? goalWords.help : goalWords.none}</p>
          {items.length > 0 && (
            <PlainTable
              label={goalWords.heading}
              columns={columns}
              rows={items.map((goal, at) => ({ ...goal, place: at + 1 }))}
              keyOf={({ place }) => String(place)}
            />
          )}
          {items.length < MOST_GOALS && may(createGoal) && (
            <div className={items.length > 0 ? 'inset-all' : 'inset'}>
              <ActButton icon={<PlusIcon size={16} />} act={AddGoal} of={given} />
            </div>
          )}
        </>
      )}
    </PendingPanel>
  )
}

const Deletion = exposeAction(
  defineDelete(deleteGoal, ({ name }: Goal) => ({
    name,
    resource: goalWords.resource,
    thing: goalWords.thing,
    also: goalWords.kept,
  })),
  { label: goalWords.delete },
)
