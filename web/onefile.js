// Starts a page in one file: `statetape export --format html` adds this script, and the modules as data.
{
  const sources = new Map(Object.entries(JSON.parse(document.getElementById('modules').textContent)));
  const addresses = globalThis.statetapeModules = Object.create(null);
  const resolve = (from, specifier) => new URL(specifier, `file:///${from}`).pathname.slice(1);

  /** The address of a module, after those of its imports. */
  const make = (path, above = []) => {
    if (addresses[path] !== undefined) return addresses[path];
    if (above.includes(path)) throw new Error(`the modules ${[...above, path].join(' → ')} need each other`);
    const source = sources.get(path);
    if (source === undefined) throw new Error(`the module ${path}, which ${above.at(-1)} needs, is not in this file`);
    // A later import is looked up when it runs.
    const later = (whole, specifier) => (sources.has(resolve(path, specifier)) ? `statetapeModules['${resolve(path, specifier)}']` : whole);
    const text = source
      .replace(/^((?:import|export)\b[^'"();]*?from |import )'(\.[^']+)';/gm, (_, head, specifier) => `${head}'${make(resolve(path, specifier), [...above, path])}';`)
      .replace(/\bimport\('(\.[^']+)'\)/g, (whole, specifier) => `import(${later(whole, specifier)})`)
      .replace(/\bnew Worker\(new URL\('(\.[^']+)', import\.meta\.url\), \{ type: 'module' \}\)/g, (_, specifier) => `new Worker('${worker(resolve(path, specifier))}')`);
    return addresses[path] = address(text);
  };

  const address = (text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));

  /** On a disk a worker can't be a module: its modules become functions of one script, in the order of imports. */
  const worker = (path) => {
    const made = new Map();
    const add = (one) => {
      if (made.has(one)) return;
      made.set(one, '');
      const names = [];
      const text = sources.get(one)
        .replace(/^import \{([^}]*)\} from '(\.[^']+)';/gm, (_, imported, specifier) => {
          add(resolve(one, specifier));
          return `const {${imported.replaceAll(' as ', ': ')}} = made['${resolve(one, specifier)}'];`;
        })
        .replace(/^export ((?:async )?function\*?|class|const) (\w+)/gm, (_, kind, name) => {
          names.push(name);
          return `${kind} ${name}`;
        });
      made.delete(one);
      made.set(one, `made['${one}'] = (() => {\n${text}\nreturn { ${names.join(', ')} };\n})();\n`);
    };
    add(path);
    return address(`'use strict';\nconst made = Object.create(null);\n${[...made.values()].join('')}`);
  };

  for (const path of sources.keys()) make(path);
  import(addresses['main.js']);
}
