import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { accentColors, grounds } from '#contract/accent.ts'
import { PICTURE_BYTES } from '#contract/assets.ts'
import { BrandChange, type Brand as BrandOf, changeBrand } from '#contract/portal.ts'
import { useCall } from '../../calls.ts'
import { brandQuery } from '../../shared/brand.ts'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { PictureField } from '../../ui/PictureField.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { showToast } from '../../ui/toasts.ts'
import { brandWords as words } from '../../words/assets.ts'
import { toastWords } from '../../words/shell.ts'
import styles from './Brand.module.css'
import { OnlyRead } from './form.tsx'
import { OwnHost } from './OwnHost.tsx'

/** How the account looks to its partners. */
export function Brand({ accountId }: { accountId: string }) {
  const answer = useQuery(brandQuery(accountId))
  if (answer.data)
    return (
      <>
        <BrandForm accountId={accountId} saved={answer.data} />
        <OwnHost accountId={accountId} saved={answer.data} />
      </>
    )
  return (
    <PendingPanel heading={words.heading} answer={answer} rows={4}>
      {() => null}
    </PendingPanel>
  )
}

/** `logo` is '' while the stored one stays, and null to remove it. */
const valuesOf = ({ accent }: BrandOf) => ({ logo: '' as string | null, accent: accent ?? '' })

const isAccent = (typed: string) => /^#[0-9a-f]{6}$/i.test(typed.trim())

function BrandForm({ accountId, saved }: { accountId: string; saved: BrandOf }) {
  const client = useQueryClient()
  const may = usePermission()(changeBrand)
  const form = useContractForm(BrandChange, { initial: valuesOf(saved) })
  const save = useCall(changeBrand, {
    onSuccess(changed) {
      client.setQueryData(brandQuery(accountId).queryKey, changed)
      form.saved(valuesOf(changed))
      showToast(toastWords.saved({ resource: words.resource }))
    },
  })
  const { field, values } = form
  const logo = field('logo', words.logo)
  const accent = field('accent', words.accent)
  const color = isAccent(values.accent) ? values.accent.trim().toLowerCase() : null
  return (
    <TwoColumns form aside={<Samples accent={color} />}>
      <Form
        form={form}
        save={save}
        label={words.heading}
        onSubmit={(_, changes) => save.mutate({ params: { id: accountId }, body: changes })}
      >
        <OnlyRead unless={may} changedBy="own">
          <FormPanel heading={words.heading} help={words.help}>
            <PictureField
              {...logo}
              help={words.logoHelp}
              most={PICTURE_BYTES.logo}
              size="200 kB"
              stored={saved.logoUrl}
              onRemove={() => logo.onChange(saved.logoUrl ? null : '')}
              disabled={!may}
              optional
            />
            <TextField
              {...accent}
              help={words.accentHelp}
              placeholder={OURS}
              autoCapitalize="none"
              spellCheck={false}
              optional
              right={
                <input
                  type="color"
                  aria-label={words.pick}
                  className={styles.pick}
                  value={color ?? OURS}
                  disabled={!may}
                  onChange={(event) => accent.onChange(event.currentTarget.value)}
                />
              }
            />
          </FormPanel>
        </OnlyRead>
        {may && <FormActions submit={words.save} cancel={() => form.restart(valuesOf(saved))} />}
      </Form>
    </TwoColumns>
  )
}

/** A button and a link in the typed color, in both themes. */
const Samples = ({ accent }: { accent: string | null }) => (
  <Panel heading={words.sample}>
    <div className="stack inset">
      {(['light', 'dark'] as const).map((theme) => (
        <div key={theme} inert className={`stack gap-2 ${styles.sample}`} style={styleOf(theme, accent)}>
          <span className="small">{words.themes[theme]}</span>
          <span>
            {words.sampleText} <span className={styles.link}>{words.sampleLink}</span>
          </span>
          <span className={styles.button}>{words.sampleButton}</span>
        </div>
      ))}
    </div>
  </Panel>
)

const TEXT = { light: '#17202b', dark: '#e8edf3' }
/** The product's own color. */
const OURS = '#3347c4'

/** Written out: the page's own colors are those of one theme. */
function styleOf(theme: 'light' | 'dark', accent: string | null): CSSProperties {
  const { link, primary, hover, onPrimary } = accentColors(accent ?? OURS)
  const properties = {
    '--link': link[theme],
    '--primary': primary,
    '--primary-hover': hover,
    '--on-primary': onPrimary,
  }
  return { background: grounds[theme].surface, color: TEXT[theme], ...properties }
}
