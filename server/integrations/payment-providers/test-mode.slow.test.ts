process.env.RUNS ??= '12'
await import('./test-mode.test.ts')
