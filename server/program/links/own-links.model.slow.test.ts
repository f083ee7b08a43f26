process.env.RUNS ??= '20'
await import('./own-links.model.test.ts')
