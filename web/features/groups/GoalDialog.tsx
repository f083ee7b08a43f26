import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  changeGoal,
  createGoal,
  type Goal,
  type GoalMetric,
  type GoalPreview,
  type GoalWindow,
  goalMetrics,
  goalWindows,
  mistakeInGoal,
  NewGoal,
} from '#contract/groups.ts'
import type { Reach } from '#contract/terms.ts'
import { apiQuery } from '../../calls.ts'
import { formatMoney } from '../../format.ts'
import { ReachField } from '../../shared/ReachField.tsx'
import { exposeAction } from '../../ui/actions.tsx'
import type { FormWith } from '../../ui/contract-form.tsx'
import { FieldPair, MoneyField, NumberField, RadioField, SelectField, TextField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { useDebounced } from '../../ui/Picker.tsx'
import { basicWords } from '../../words/basic.ts'
import { ruleWords } from '../../words/forms.ts'
import { goalWords } from '../../words/goals.ts'
import { groupWords } from '../../words/groups.ts'
import { toastWords } from '../../words/shell.ts'
import { termsWords } from '../../words/terms.ts'

type Typed = number | string
type Limit = 'atLeast' | 'below'

/** `limit` and `follows` determine which of the fields after them belong to the goal; the others are empty. */
type GoalValues = {
  name: string
  metric: GoalMetric
  window: GoalWindow
  limit: Limit
  atLeast: Typed
  below: Typed
  follows: 'bonus' | 'move'
  bonus: Typed
  moveToGroupId: string | null
  appliesTo: Reach
}

type Given = {
  groupId: string
  currency: string
  /** The groups that a goal can move partners to. */
  others: { value: string; label: string }[]
  goal?: Goal
}

const blank: GoalValues = {
  name: '',
  metric: 'revenue',
  window: 'month',
  limit: 'atLeast',
  atLeast: '',
  below: '',
  follows: 'bonus',
  bonus: '',
  moveToGroupId: null,
  appliesTo: 'new-customers',
}

const valuesOf = ({ name, metric, window, atLeast, below, bonus, moveToGroupId, appliesTo }: Goal): GoalValues => ({
  name,
  metric,
  window,
  limit: below === null ? 'atLeast' : 'below',
  atLeast: atLeast ?? '',
  below: below ?? '',
  follows: moveToGroupId ? 'move' : 'bonus',
  bonus: bonus ?? '',
  moveToGroupId,
  appliesTo: appliesTo ?? 'new-customers',
})

const declared = (given: Given) => ({
  initial: given.goal ? valuesOf(given.goal) : blank,
  omit: ['limit', 'follows'] as const,
  check: mistakesIn,
  fields: (form: GoalForm) => <GoalFields form={form} {...given} />,
})

export const AddGoal = exposeAction(
  defineFormAction(createGoal, NewGoal, (given: Given) => ({
    ...declared(given),
    heading: goalWords.add,
    done: toastWords.added({ resource: goalWords.resource }),
    send: (body) => ({ params: { id: given.groupId }, body }),
  })),
  { label: goalWords.add },
)

export const EditGoal = exposeAction(
  defineFormAction(changeGoal, NewGoal, (given: Given & { goal: Goal }) => ({
    ...declared(given),
    heading: goalWords.edit,
    done: toastWords.saved({ resource: goalWords.resource }),
    send: (body) => ({ params: { id: given.goal.id }, body }),
  })),
  { label: termsWords.edit },
)

/** The schema accepts a goal without a limit or a consequence, and words every figure as an amount. */
function mistakesIn({ metric, limit, follows, bonus, moveToGroupId, ...limits }: GoalValues) {
  const required = (label: string) => basicWords.rules.required({ label })
  const figure = limits[limit]
  const mistake = metric === 'revenue' ? undefined : mistakeInCount(figure)
  return {
    [limit]: figure === '' ? required(goalWords[limit]) : mistake,
    bonus: follows === 'bonus' && bonus === '' ? required(goalWords.bonus) : undefined,
    moveToGroupId: follows === 'move' && !moveToGroupId ? required(groupWords.label) : undefined,
  }
}

function mistakeInCount(typed: Typed) {
  if (typeof typed !== 'number') return undefined
  if (!Number.isInteger(typed)) return ruleWords.wholeNumber
  return typed < 1 ? ruleWords.least({ amount: 1 }) : undefined
}

type GoalForm = FormWith<GoalValues> & { set: (some: Partial<GoalValues>) => void }

/** Offers only what goes together: over the last 90 days a goal moves partners, and only there below a figure. */
function GoalFields({ form, others, ...given }: Given & { form: GoalForm }) {
  const { field, values, set } = form
  const { metric, window, limit, follows } = values
  const canMove = others.length > 0
  const limitHelp = limit === 'below' ? goalWords.belowHelp : undefined

  function chooseMetric(next: GoalMetric | null) {
    if (!next) return
    const isOtherKind = (next === 'revenue') !== (metric === 'revenue')
    set({ metric: next, ...(isOtherKind && { atLeast: '', below: '' }) })
  }
  function chooseWindow(next: GoalWindow | null) {
    if (!next) return
    set({ window: next, ...(next === 'last-90-days' ? followedBy('move') : limitedBy('atLeast')) })
  }
  /** The other limit becomes empty. */
  const limitedBy = (next: Limit) =>
    next === limit ? {} : { limit: next, atLeast: '', below: '', [next]: values[limit] }
  /** The other consequence becomes empty. */
  const followedBy = (next: GoalValues['follows']) => ({
    follows: next,
    ...(next === 'move' ? { bonus: '' } : { moveToGroupId: null }),
  })

  return (
    <>
      <TextField {...field('name', goalWords.name)} autoComplete="off" help={goalWords.nameHelp} />
      <FieldPair>
        <SelectField
          {...field('metric', goalWords.metric)}
          choices={goalMetrics.map((value) => ({ value, label: goalWords.metrics[value] }))}
          onChange={chooseMetric}
        />
        <SelectField
          {...field('window', goalWords.window)}
          choices={goalWindows
            .filter((value) => canMove || value !== 'last-90-days')
            .map((value) => ({ value, label: goalWords.windows[value] }))}
          help={window === 'last-90-days' ? goalWords.onlyMoves : undefined}
          onChange={chooseWindow}
        />
      </FieldPair>
      {window === 'last-90-days' && (
        <RadioField
          {...field('limit', goalWords.limit)}
          choices={(['atLeast', 'below'] as const).map((value) => ({ value, label: goalWords.limits[value] }))}
          onChange={(next) => set(limitedBy(next))}
        />
      )}
      {metric === 'revenue' ? (
        <MoneyField
          key={`${limit} money`}
          {...field(limit, goalWords[limit])}
          currency={given.currency}
          help={limitHelp}
        />
      ) : (
        <NumberField key={limit} {...field(limit, goalWords[limit])} help={limitHelp} />
      )}
      {canMove && window !== 'last-90-days' && (
        <RadioField
          {...field('follows', goalWords.follows)}
          choices={(['bonus', 'move'] as const).map((value) => ({ value, label: goalWords.choices[value] }))}
          onChange={(next) => set(followedBy(next))}
        />
      )}
      {follows === 'bonus' ? (
        <MoneyField
          {...field('bonus', goalWords.bonus)}
          currency={given.currency}
          help={goalWords.bonusHelp[window] + (canMove ? '' : ` ${goalWords.noGroup}`)}
        />
      ) : (
        <>
          <SelectField {...field('moveToGroupId', groupWords.label)} choices={others} placeholder={groupWords.choose} />
          <ReachField form={form} words={goalWords.move} />
        </>
      )}
      <Effect values={values} {...given} />
    </>
  )
}

/** How many partners the goal reaches with the next night, and the cost, once it is complete. */
function Effect({ values, groupId, currency, goal }: Omit<Given, 'others'> & { values: GoalValues }) {
  const settled: GoalValues = JSON.parse(useDebounced(JSON.stringify(values), 300))
  const request = NewGoal.safeParse(bodyOf(settled)).data
  const isComplete = request !== undefined && mistakeInGoal(request as Goal) === undefined
  const preview = { ...(request as NewGoal), preview: true }
  const { data, isPlaceholderData } = useQuery({
    ...(goal
      ? apiQuery(changeGoal, { params: { id: goal.id }, body: preview })
      : apiQuery(createGoal, { params: { id: groupId }, body: preview })),
    enabled: isComplete,
    placeholderData: keepPreviousData,
  })
  return (
    <p role="status" data-dimmed={isPlaceholderData || undefined} className="strong">
      {isComplete && data && effectInWords(data as GoalPreview, request, currency)}
    </p>
  )
}

/** The name has no effect here and may be missing. */
const bodyOf = ({ metric, window, atLeast, below, bonus, moveToGroupId, appliesTo }: GoalValues) => ({
  name: goalWords.resource,
  metric,
  window,
  moveToGroupId,
  appliesTo,
  atLeast: atLeast || null,
  below: below || null,
  bonus: bonus || null,
})

function effectInWords({ partners: count, amount }: GoalPreview, goal: NewGoal, currency: string) {
  if (goal.bonus) return goalWords.reachedNow({ count, amount: formatMoney(amount, currency) })
  return goal.below ? goalWords.belowNow({ count }) : goalWords.movesNow({ count })
}
