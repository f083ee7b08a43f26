import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { accentColors, grounds } from '#contract/accent.ts'
import type { Account } from '#contract/accounts.ts'
import { PICTURE_BYTES } from '#contract/pictures.ts'
import { BrandChange, type Brand as BrandOf, changeBrand } from '#contract/portal.ts'
import { useCall } from '../../calls.ts'
import { brandQuery } from '../../shared/brand.ts'
import { OnlyRead } from '../../shared/OnlyRead.tsx'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { PictureField } from '../../ui/PictureField.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { showToast } from '../../ui/toasts.ts'
import { hostWords, brandWords as words } from '../../words/assets.ts'
import { formWords } from '../../words/forms.ts'
import { toastWords } from '../../words/shell.ts'
import styles from './Brand.module.css'
import { HostFields, HostState } from './OwnHost.tsx'

/** The account's look and domain, as partners see them. */
export function Branding({ account }: { account: Account }) {
  const answer = useQuery(brandQuery(account.id))
  if (answer.data) return <BrandForm accountId={account.id} saved={answer.data} />
  return (
    <PendingPanel heading={words.heading} answer={answer} rows={4}>
      {() => null}
    </PendingPanel>
  )
}

/** A picture is '' while the stored one stays, and null to remove it. */
const valuesOf = ({ accent, host }: BrandOf) => ({
  logo: '' as string | null,
  cover: '' as string | null,
  accent: accent ?? '',
  host: host?.name ?? '',
})

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
  const cover = field('cover', words.cover)
  const accent = field('accent', words.accent)
  const color = isAccent(values.accent) ? values.accent.trim().toLowerCase() : null
  return (
    <TwoColumns
      form
      aside={
        <>
          <Samples accent={color} />
          {saved.host && <HostState accountId={accountId} host={saved.host} />}
        </>
      }
    >
      <Form
        form={form}
        save={save}
        label={words.heading}
        onSubmit={(_, changes) => save.mutate({ params: { id: accountId }, body: changes })}
      >
        <OnlyRead needs={changeBrand}>
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
            <PictureField
              {...cover}
              help={words.coverHelp}
              most={PICTURE_BYTES.cover}
              size="500 kB"
              stored={saved.coverUrl}
              onRemove={() => cover.onChange(saved.coverUrl ? null : '')}
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
          <HostFields field={field('host', hostWords.domain)} saved={saved} />
        </OnlyRead>
        {may && <FormActions submit={formWords.saveChanges} cancel={() => form.restart(valuesOf(saved))} />}
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
