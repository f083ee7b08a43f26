import { type DragEvent, useId, useState } from 'react'
import { Message } from '../../ui/Message.tsx'
import { t } from '../../words.ts'
import { MOST_BYTES, type ReadFile, textOf } from './file.ts'
import styles from './Imports.module.css'

type Props = { file: ReadFile | null; onChoose: (file: ReadFile | null) => void }

/** A file, chosen or dropped; it is read here, and sent once the columns are right. */
export function ChooseFile({ file, onChoose }: Props) {
  const id = useId()
  const [wrong, setWrong] = useState<string | null>(null)
  const [over, setOver] = useState(false)
  async function take(given: File | undefined) {
    if (!given) return
    const mistake = given.size > MOST_BYTES ? t('importData.tooLarge') : given.size === 0 ? t('importData.empty') : null
    setWrong(mistake)
    onChoose(mistake ? null : { name: given.name, csv: textOf(new Uint8Array(await given.arrayBuffer())) })
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }
  const onDragOver = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    <>
      <label
        htmlFor={id}
        className={styles.drop}
        data-over={over || undefined}
        onDragLeave={() => setOver(false)}
        {...{ onDrop, onDragOver }}
      >
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          className={styles.input}
          onChange={(event) => {
            const input = event.currentTarget
            void take(input.files?.[0]).finally(() => {
              // the same file, changed meanwhile, can be chosen again
              input.value = ''
            })
          }}
        />
        {file && <strong className={styles.name}>{file.name}</strong>}
        <span className={styles.choose}>{t(file ? 'importData.another' : 'importData.choose')}</span>
        <span className={styles.hint}>{t('importData.drop')}</span>
      </label>
      {wrong && <Message kind="error">{wrong}</Message>}
    </>
  )
}
