/** Where the browser keeps how this person looks at the page; none of it is in the address. */
export const DISPLAY_KEY = 'dlo-display';

/**
 * Runs before the first paint, so that no page flashes in the wrong theme or jumps to the dragged widths. It is text,
 * because nothing is loaded yet; `display.tsx` writes what it reads.
 */
export const DISPLAY_SCRIPT = `try{var d=JSON.parse(localStorage.getItem('${DISPLAY_KEY}')||'{}'),r=document.documentElement;if(d.theme==='light'||d.theme==='dark')r.dataset.theme=d.theme;if(d.density==='compact'||d.density==='roomy')r.dataset.density=d.density;for(var k in d.sizes||{})if(/^[a-z-]+$/.test(k)&&isFinite(d.sizes[k]))r.style.setProperty('--'+k,d.sizes[k]+(k==='map-share'?'fr':'px'))}catch(e){}`;
