import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type ImportKind, type ImportPreview, importKinds } from '#contract/imports.ts'
import { CallError } from '../../api.ts'
import { useAccountRole } from '../../shell/current.ts'
import { ChooseFile } from '../../ui/ChooseFile.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { Page } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Panel.tsx'
import type { ReadFile } from '../../ui/read-file.ts'
import { t } from '../../words.ts'
import { EarlierImports } from './EarlierImports.tsx'
import styles from './Imports.module.css'
import { MapColumns } from './MapColumns.tsx'
import { importPreview } from './queries.ts'

const kindOf = (given: unknown): ImportKind | undefined => importKinds.find((kind) => kind === given)

/** The server's limit for a file. */
const MOST_MEGABYTES = 20

/** Imports a file: choose its kind, map the columns, run a dry run, then import. */
export function ImportData() {
  const { accountId } = useAccountRole()
  const { kind } = useSearch({ strict: false }) as { kind?: string }
  const [file, choose] = useState<ReadFile | null>(null)
  // each file starts with fresh state
  const [chosen, count] = useState(0)
  return (
    <Page heading={t('pages.importData')} parent={<Link to="/account/settings">{t('pages.settings')}</Link>}>
      <Panel heading={t('importData.file')}>
        <div className={styles.file}>
          <ChooseFile
            file={file}
            most={MOST_MEGABYTES}
            tooLarge={t('importData.tooLarge', { most: MOST_MEGABYTES })}
            onChoose={(next) => {
              choose(next)
              count(chosen + 1)
            }}
          />
        </div>
      </Panel>
      {file && <OneFile key={chosen} accountId={accountId} file={file} wanted={kindOf(kind)} />}
      <EarlierImports accountId={accountId} />
    </Page>
  )
}

type OneFileProps = { accountId: string; file: ReadFile; wanted: ImportKind | undefined }

function OneFile({ accountId, file, wanted }: OneFileProps) {
  const [asked, ask] = useState<{ kind?: ImportKind | undefined; format?: string | undefined }>({ kind: wanted })
  const { data, error, isPlaceholderData } = useQuery({
    ...importPreview(accountId, file.csv, asked),
    placeholderData: (before: ImportPreview | undefined) => before,
  })
  if (error instanceof CallError) return <Message kind="error">{explainRefusal(error)}</Message>
  if (!data) return <Message kind="info">{t('importData.reading')}</Message>
  return (
    <>
      <Panel heading={t('importData.contents')}>
        <div className={styles.what}>
          <SelectField
            {...{ id: 'import-kind', name: 'kind', label: t('importData.kind'), onBlur: () => undefined }}
            value={data.kind}
            placeholder={data.kind ? undefined : t('importData.chooseKind')}
            onChange={(kind) => kind && ask({ ...asked, kind })}
            choices={importKinds.map((value) => ({ value, label: t(`importData.kinds.${value}`) }))}
          />
          <SelectField
            {...{ id: 'import-source', name: 'source', label: t('importData.source'), onBlur: () => undefined }}
            value={data.format}
            onChange={(format) => format && ask({ kind: data.kind ?? undefined, format })}
            choices={[
              { value: 'csv', label: t('importData.anyFile') },
              ...data.formats.map(({ format, name }) => ({ value: format, label: name })),
            ]}
          />
        </div>
        {data.kind && <p className={styles.guess}>{guessOf(data, data.kind)}</p>}
        {data.kind && <p className={styles.hint}>{t(`importData.notes.${data.kind}`)}</p>}
      </Panel>
      {data.kind && !isPlaceholderData && (
        <MapColumns
          key={`${data.kind} ${data.format} ${asked.format}`}
          {...{ accountId, file, preview: data, kind: data.kind }}
        />
      )}
    </>
  )
}

/** Returns a sentence about how certain the guessed mapping is. */
function guessOf({ sure, formatName }: ImportPreview, kind: ImportKind): string {
  const words = { name: formatName ?? '', kind: t(`importData.kindsWithin.${kind}`) }
  if (sure === 'saved') return t('importData.asLastTime')
  if (!formatName) return t('importData.checkColumns')
  return t(sure === 'certain' ? 'importData.looksLike' : 'importData.thinkThese', words)
}
