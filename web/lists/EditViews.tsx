import { useState } from 'react'
import { changeMe, NamedView } from '#contract/auth.ts'
import { withFields } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { useContractForm } from '../ui/contract-form.tsx'
import { ConfirmDelete, Dialog } from '../ui/Dialog.tsx'
import { useDialogCall } from '../ui/dialog-call.ts'
import { FormDialog } from '../ui/FormDialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { t } from '../words.ts'
import styles from './EditViews.module.css'
import { keptView, type View } from './views.ts'

type NameProps = { heading: string; view: View; others: readonly View[]; onClose: () => void }

/** Asks for a view's name and saves it. */
export function NameView({ heading, view, others, onClose }: NameProps) {
  const call = useDialogCall(changeMe, { done: t('toast.saved', { resource: t('views.resource') }), onClose })
  const form = useContractForm(NamedView, {
    initial: { name: view.name },
    check: ({ name }) => ({
      name: others.some((other) => other.key !== view.key && other.name === name.trim()) ? t('views.taken') : undefined,
    }),
  })
  // The limit concerns all preferences together, so the only field here shows it.
  const error =
    call.error && 'preferences' in call.error.fields ? withFields(call.error, { name: t('views.full') }) : call.error
  return (
    <FormDialog
      heading={heading}
      form={form}
      save={{ ...call, error }}
      submit={t('views.keep')}
      onSubmit={({ name }) =>
        call.mutate({ body: { preferences: { [view.key]: keptView({ ...view, name: name.trim() }) } } })
      }
      onClose={onClose}
    >
      <TextField {...form.field('name', t('views.name'))} />
    </FormDialog>
  )
}

/** All views of a list, for renaming or deleting. */
export function EditViews({ views, onClose }: { views: readonly View[]; onClose: () => void }) {
  const [chosen, setChosen] = useState<{ view: View; action: 'rename' | 'delete' } | null>(null)
  const back = () => setChosen(null)
  if (chosen?.action === 'rename')
    return <NameView heading={t('views.renameHeading')} view={chosen.view} others={views} onClose={back} />
  if (chosen) return <DeleteView view={chosen.view} onClose={back} />
  return (
    <Dialog heading={t('views.edit')} onClose={onClose}>
      <ul className={styles.views}>
        {views.map((view) => (
          <li key={view.key}>
            <span>{view.name}</span>
            <Button
              small
              aria-label={t('views.renameNamed', { name: view.name })}
              onClick={() => setChosen({ view, action: 'rename' })}
            >
              {t('views.rename')}
            </Button>
            <Button
              small
              look="remove"
              aria-label={t('views.deleteNamed', { name: view.name })}
              onClick={() => setChosen({ view, action: 'delete' })}
            >
              {t('views.delete')}
            </Button>
          </li>
        ))}
      </ul>
      {views.length === 0 && <p>{t('views.none')}</p>}
    </Dialog>
  )
}

function DeleteView({ view, onClose }: { view: View; onClose: () => void }) {
  const call = useDialogCall(changeMe, { done: t('toast.deleted', { resource: t('views.resource') }), onClose })
  return (
    <ConfirmDelete
      resource={t('views.resource').toLowerCase()}
      name={view.name}
      call={call}
      onDelete={() => call.mutate({ body: { preferences: { [view.key]: null } } })}
      onClose={onClose}
    />
  )
}
