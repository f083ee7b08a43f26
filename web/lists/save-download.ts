import type { Endpoint } from '#contract/endpoint.ts'
import { CallError, type Loose } from '../api.ts'
import { downloadFile } from '../ui/download.ts'
import { currentPath, whileRunning } from '../ui/running-work.ts'
import { saveFile } from '../ui/save-file.ts'
import { csvLines } from './csv-lines.ts'
import { type Downloading, getDownload, setDownload } from './downloads.ts'

type Ended = { file?: Blob; failure?: CallError; canceled?: true }

/** Milliseconds a download must last before the sidebar shows it. */
const WORTH_TELLING_MS = 1000

/** Downloads the file of a call, saves it and shows the result; does nothing if it is already running. */
export async function saveDownload(key: string, endpoint: Endpoint, input: Loose, fallback: string): Promise<Ended> {
  if (getDownload(key).running) return {}
  const stopping = new AbortController()
  let running: Downloading = { bytes: 0, rows: 0, headers: undefined, cancel: () => stopping.abort() }
  setDownload(key, { running })
  const linesIn = csvLines()
  const begunAt = currentPath()
  const file = downloadFile(endpoint, { ...input, signal: stopping.signal }, (piece, headers) => {
    const lines = headers.get('content-type')?.startsWith('text/csv') ? linesIn(piece) : 0
    running = { ...running, bytes: running.bytes + piece.length, rows: Math.max(0, lines - 1), headers }
    setDownload(key, { running })
  })
  const timer = setTimeout(() => void whileRunning(() => file, begunAt).catch(() => undefined), WORTH_TELLING_MS)
  try {
    const loaded = await file
    saveFile(loaded.file, loaded.name ?? fallback)
    setDownload(key, {})
    return { file: loaded.file }
  } catch (reason) {
    const failure = reason instanceof CallError ? reason : undefined
    setDownload(key, failure ? { failure } : {})
    if (stopping.signal.aborted) return { canceled: true }
    if (!failure) throw reason
    return { failure }
  } finally {
    clearTimeout(timer)
  }
}
