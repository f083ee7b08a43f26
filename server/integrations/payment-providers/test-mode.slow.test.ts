process.env.RUNS ??= '25'
await import('./test-mode.test.ts')
