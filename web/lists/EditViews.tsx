import { useState } from 'react'
import { changeMe, NamedView } from '#contract/auth.ts'
import { labelInSentence } from '#contract/format.ts'
import { withFields } from '../api.ts'
import { defineDelete, useActCall } from '../ui/act.tsx'
import { Button } from '../ui/Button.tsx'
import { useContractForm } from '../ui/contract-form.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { viewWords } from '../words/lists.ts'
import { toastWords } from '../words/shell.ts'
import { savedView, type View } from './views.ts'

type NameProps = { heading: string; view: View; others: readonly View[]; onClose: () => void }

/** Asks for a view's name and saves it. */
export function NameView({ heading, view, others, onClose }: NameProps) {
  const done = toastWords.saved({ resource: viewWords.resource })
  const { call } = useActCall(changeMe, { done }, onClose)
  const form = useContractForm(NamedView, {
    initial: { name: view.name },
    check: ({ name }) => ({
      name: others.some((other) => other.key !== view.key && other.name === name.trim()) ? viewWords.taken : undefined,
    }),
  })
  // The limit concerns all preferences together, so the only field here shows it.
  const error =
    call.error && 'preferences' in call.error.fields ? withFields(call.error, { name: viewWords.full }) : call.error
  return (
    <FormDialog
      heading={heading}
      form={form}
      save={{ ...call, error }}
      submit={viewWords.keep}
      onSubmit={({ name }) =>
        call.mutate({ body: { preferences: { [view.key]: savedView({ ...view, name: name.trim() }) } } })
      }
      onClose={onClose}
    >
      <TextField {...form.field('name')} />
    </FormDialog>
  )
}

/** All views of a list, for renaming or deleting. */
export function EditViews({ views, onClose }: { views: readonly View[]; onClose: () => void }) {
  const [chosen, setChosen] = useState<{ view: View; action: 'rename' | 'delete' } | null>(null)
  const back = () => setChosen(null)
  if (chosen?.action === 'rename')
    return <NameView heading={viewWords.renameHeading} view={chosen.view} others={views} onClose={back} />
  if (chosen) return <DeleteView of={chosen.view} onClose={back} />
  return (
    <Dialog heading={viewWords.edit} onClose={onClose}>
      <ul className="stack gap-2">
        {views.map((view) => (
          <li key={view.key} className="row no-wrap">
            <span className="rest wrap">{view.name}</span>
            <Button
              small
              aria-label={viewWords.renameNamed({ name: view.name })}
              onClick={() => setChosen({ view, action: 'rename' })}
            >
              {viewWords.rename}
            </Button>
            <Button
              small
              look="remove"
              aria-label={viewWords.deleteNamed({ name: view.name })}
              onClick={() => setChosen({ view, action: 'delete' })}
            >
              {viewWords.delete}
            </Button>
          </li>
        ))}
      </ul>
      {views.length === 0 && <p>{viewWords.none}</p>}
    </Dialog>
  )
}

const DeleteView = defineDelete(changeMe, ({ key, name }: View) => ({
  name,
  resource: viewWords.resource,
  thing: labelInSentence(viewWords.resource),
  send: { body: { preferences: { [key]: null } } },
}))
