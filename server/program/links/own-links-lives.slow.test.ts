process.env.RUNS ??= '20'
await import('./own-links-lives.test.ts')
