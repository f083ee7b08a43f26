import { namedRanges } from '#contract/values.ts'
import { defineDelete } from '#web/ui/act.tsx'
import { exposeAction } from '#web/ui/actions.tsx'
import type { FormWith } from '#web/ui/contract-form.tsx'
import { rangeLabel } from '#web/ui/DateRange.tsx'
import { SelectField, TextField } from '#web/ui/fields.tsx'
import { defineFormAction } from '#web/ui/form-act.tsx'
import { formWords } from '#web/words/forms.ts'
import { toastWords } from '#web/words/shell.ts'
import {
  changeSavedReport,
  createSavedReport,
  deleteSavedReport,
  NewSavedReport,
  reportFrequencies,
  type SavedReport,
  SavedReportChange,
} from '../contract.ts'
import { reportWords as words } from '../text.ts'

type Values = Pick<SavedReport, 'name' | 'period' | 'every'>
type Shown = Pick<SavedReport, 'by' | 'period' | 'sort' | 'search' | 'partnerId'>

const fields = ({ field }: FormWith<Values>) => (
  <>
    <TextField {...field('name', words.name)} autoComplete="off" />
    <SelectField
      {...field('period', words.period)}
      choices={namedRanges.map((value) => ({ value, label: rangeLabel(value) }))}
    />
    <SelectField
      {...field('every', words.every)}
      help={words.everyHelp}
      placeholder={words.everies.never}
      choices={reportFrequencies.map((value) => ({ value, label: words.everies[value] }))}
    />
  </>
)

/** Saves what a report shows now, under a name. */
export const SaveReport = exposeAction(
  defineFormAction(createSavedReport, NewSavedReport, (given: Shown & { accountId: string }) => {
    const { accountId, ...shown } = given
    return {
      heading: words.save,
      why: words.saveHelp,
      initial: { name: '', every: null, ...shown } as Values & Shown,
      done: toastWords.saved({ resource: words.resource }),
      send: (body) => ({ params: { id: accountId }, body }),
      fields,
    }
  }),
  { label: words.save },
)

export const EditReport = exposeAction(
  defineFormAction(changeSavedReport, SavedReportChange, ({ name, period, every }: SavedReport) => ({
    heading: words.edit,
    submit: formWords.saveChanges,
    initial: { name, period, every } as Values,
    done: toastWords.saved({ resource: words.resource }),
    fields,
  })),
  { label: words.edit },
)

export const DeleteReport = exposeAction(
  defineDelete(deleteSavedReport, ({ name }: SavedReport) => ({
    resource: words.resource,
    thing: words.thing,
    name,
  })),
  { label: words.remove },
)
