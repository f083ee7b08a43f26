import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Brand, BrandChange, changeBrand } from '#contract/portal.ts'
import { useCall } from '../../calls.ts'
import { brandQuery } from '../../shared/brand.ts'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { TagsField } from '../../ui/TagsField.tsx'
import { showToast } from '../../ui/toasts.ts'
import { labelWords } from '../../words/fields.ts'
import { formWords } from '../../words/forms.ts'
import { pushDataWords } from '../../words/push-data.ts'
import { toastWords } from '../../words/shell.ts'

const words = pushDataWords.frameHosts

/** The sites that may show the account's portal in a frame. */
export function FrameHosts({ accountId }: { accountId: string }) {
  const answer = useQuery(brandQuery(accountId))
  if (answer.data) return <FrameHostsForm accountId={accountId} saved={answer.data} />
  return (
    <PendingPanel heading={words.heading} answer={answer} rows={2}>
      {() => null}
    </PendingPanel>
  )
}

const valuesOf = ({ frameHosts }: Brand) => ({ frameHosts })

function FrameHostsForm({ accountId, saved }: { accountId: string; saved: Brand }) {
  const client = useQueryClient()
  const may = usePermission()(changeBrand)
  const form = useContractForm(BrandChange, { initial: valuesOf(saved) })
  const save = useCall(changeBrand, {
    onSuccess: (saved) => {
      client.setQueryData(brandQuery(accountId).queryKey, saved)
      form.saved(valuesOf(saved))
      showToast(toastWords.saved({ resource: words.resource }))
    },
  })
  return (
    <Form
      wide
      form={form}
      save={save}
      label={words.heading}
      onSubmit={(body) => save.mutate({ params: { id: accountId }, body })}
    >
      <fieldset disabled={!may} className="stack">
        <FormPanel heading={words.heading}>
          <TagsField
            {...form.field('frameHosts', labelWords.frameHosts)}
            placeholder={words.placeholder}
            help={words.help}
            tidy={hostOf}
            isWrong={(host) => !BrandChange.safeParse({ frameHosts: [host] }).success}
          />
        </FormPanel>
      </fieldset>
      {may && <FormActions submit={formWords.saveChanges} cancel={() => form.restart(valuesOf(saved))} />}
    </Form>
  )
}

/** The host of a pasted address. */
const hostOf = (typed: string) =>
  typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '')
