// The words of the page, in each of its languages. The names of rules, parameters, states and events are the names in
// files, so they stay as they are, as do texts of the engine and of scenarios.
const LANGUAGES = ["en", "de", "fr"];

// Each text in the order of LANGUAGES. {name} is a value. Between | are the forms for one and for other counts.
const WORDS = {
  // The document.
  stage: [
    "The world: drag to move the view, turn the wheel to zoom, press ? for all keys",
    "Die Welt: Ziehen verschiebt die Ansicht, das Mausrad zoomt, ? zeigt alle Tasten",
    "Le monde\u202f: glisser déplace la vue, la molette zoome, ? montre toutes les touches",
  ],
  firstSteps: ["First steps", "Erste Schritte", "Premiers pas"],
  toolOptions: ["Options of the tool", "Optionen des Werkzeugs", "Options de l’outil"],
  tools: ["Tools", "Werkzeuge", "Outils"],
  dismiss: ["Dismiss", "Schließen", "Fermer"],
  dismissError: ["Dismiss the error", "Fehlermeldung schließen", "Fermer le message d’erreur"],
  details: ["Details", "Einzelheiten", "Détails"],
  close: ["Close", "Schließen", "Fermer"],
  play: ["Play", "Start", "Lecture"],
  pause: ["Pause", "Pause", "Pause"],
  playTip: ["Play or pause (space)", "Starten oder anhalten (Leertaste)", "Lecture ou pause (espace)"],
  pace: ["Speed", "Tempo", "Vitesse"],
  paceTip: ["Multiples of real time ([ and ])", "Vielfaches der Echtzeit ([ und ])", "Multiple du temps réel ([ et ])"],
  unlimited: ["max", "max", "max"],
  openTip: ["Gallery of scenarios (G)", "Galerie der Szenarien (G)", "Galerie des scénarios (G)"],
  share: ["Share", "Teilen", "Partager"],
  shareTip: ["Scenario, picture, film or command", "Szenario, Bild, Film oder Befehl", "Scénario, image, film ou commande"],
  more: ["More", "Mehr", "Plus"],
  panel: ["Panel", "Leiste", "Panneau"],
  panelTip: ["Adjust, view, charts and agent", "Anpassen, Ansicht, Verlauf und Agent", "Réglages, vue, courbes et agent"],
  save: ["Scenario file, with all changes", "Szenariodatei mit allen Änderungen", "Fichier du scénario, avec les modifications"],
  saveTip: [
    "Save the scenario file with all changes (S)", "Szenariodatei mit allen Änderungen speichern (S)",
    "Enregistrer le fichier du scénario avec toutes les modifications (S)",
  ],
  recording: ["Recording of the run", "Aufzeichnung des Laufs", "Enregistrement de l’exécution"],
  recordingTip: [
    "Save the run up to here with all edits, as a report of a fault that replays",
    "Den Lauf bis hierher mit allen Eingriffen speichern, als Fehlerbericht, der sich abspielen lässt",
    "Enregistrer l’exécution jusqu’ici avec toutes les interventions, comme rapport d’anomalie rejouable",
  ],
  picture: ["Picture", "Bild", "Image"],
  pictureTip: ["Save a picture of the view", "Bild der Ansicht speichern", "Enregistrer une image de la vue"],
  film: ["Film", "Film", "Film"],
  filmTip: ["Start or end a film of the view", "Film der Ansicht beginnen oder beenden", "Commencer ou terminer un film de la vue"],
  command: ["Command for this state", "Befehl für diesen Zustand", "Commande pour cet état"],
  commandTip: [
    "Copy the command that gives this state: while paused, without changes",
    "Befehl kopieren, der diesen Zustand ergibt: in der Pause, ohne Änderungen",
    "Copier la commande qui donne cet état\u202f: en pause, sans modifications",
  ],
  restart: ["Restart with changes", "Neustart mit Änderungen", "Redémarrer avec les modifications"],
  restartTip: ["Restart with all changes (R)", "Mit allen Änderungen neu starten (R)", "Redémarrer avec toutes les modifications (R)"],
  reset: ["Reset", "Zurücksetzen", "Réinitialiser"],
  resetTip: ["Restart without changes (Shift+R)", "Ohne Änderungen neu starten (Umschalt+R)", "Redémarrer sans les modifications (Maj+R)"],
  seed: ["Seed", "Startwert", "Graine"],
  seedTip: [
    "Seed of all random numbers; Enter restarts with it", "Startwert aller Zufallszahlen; die Eingabetaste startet damit neu",
    "Graine de tous les nombres aléatoires\u202f; Entrée redémarre avec elle",
  ],
  theme: ["Dark or light", "Dunkel oder hell", "Sombre ou clair"],
  themeTip: ["Dark or light background (D)", "Dunkler oder heller Hintergrund (D)", "Fond sombre ou clair (D)"],
  figures: ["Statistics", "Statistik", "Statistiques"],
  figuresTip: ["Statistics for developers (I)", "Statistik für Entwickler (I)", "Statistiques pour les développeurs (I)"],
  help: ["Keyboard shortcuts", "Tastenkürzel", "Raccourcis clavier"],
  helpTip: ["Keyboard shortcuts (?)", "Tastenkürzel (?)", "Raccourcis clavier (?)"],
  step: ["Advance by one tick", "Einen Tick weiter", "Avancer d’un tick"],
  stepTip: ["Advance by one tick (.)", "Einen Tick weiter (.)", "Avancer d’un tick (.)"],
  time: ["Tick of the run", "Tick des Laufs", "Tick de l’exécution"],
  timeTip: [
    "Tick of the run: earlier ticks are computed again, with equal bits",
    "Tick des Laufs: Frühere Ticks werden neu berechnet, mit gleichen Bits",
    "Tick de l’exécution\u202f: les ticks antérieurs sont recalculés, bit pour bit",
  ],

  // Time.
  atTick: ["tick {tick}", "Tick {tick}", "tick {tick}"],
  commandTitle: ["This state from the command line", "Dieser Zustand von der Kommandozeile", "Cet état depuis la ligne de commande"],
  commandCopied: [
    "The command is in the clipboard. It runs the same ticks and compares the hash of the last state.",
    "Der Befehl ist in der Zwischenablage. Er rechnet dieselben Ticks und vergleicht den Hash des letzten Zustands.",
    "La commande est dans le presse-papiers. Elle exécute les mêmes ticks et compare le hash du dernier état.",
  ],

  // The panel.
  tabWorlds: ["Worlds", "Welten", "Mondes"],
  tabAdjust: ["Adjust", "Anpassen", "Régler"],
  tabView: ["View", "Ansicht", "Vue"],
  tabCharts: ["Charts", "Verlauf", "Courbes"],
  tabAgent: ["Agent", "Agent", "Agent"],
  search: ["Search rules and values", "Regeln und Werte suchen", "Chercher règles et valeurs"],
  allRules: ["All rules and values", "Alle Regeln und Werte", "Toutes les règles et valeurs"],
  whileStates: ["while {states}", "bei {states}", "pendant {states}"],
  body: ["body", "Körper", "corps"],
  ofEachAgent: ["of each agent", "jedes Agenten", "de chaque agent"],
  noRules: ["no rules", "keine Regeln", "aucune règle"],
  switchTip: ["Switch the rule on or off", "Regel ein- oder ausschalten", "Activer ou désactiver la règle"],
  acts: ["{rule} acts", "{rule} wirkt", "{rule} agit"],
  from: ["from", "von", "de"],
  to: ["to", "bis", "à"],
  exactly: ["{name}, exactly", "{name}, genau", "{name}, valeur exacte"],
  noLimit: ["no limit", "unbegrenzt", "sans limite"],
  points: ["{count} points", "{count} Punkt|{count} Punkte", "{count} point|{count} points"],
  backTip: ["Back to the file's value: {value}", "Zurück zum Wert der Datei: {value}", "Revenir à la valeur du fichier\u202f: {value}"],
  backTo: ["{name}: back to {value}", "{name}: zurück zu {value}", "{name}\u202f: revenir à {value}"],

  // The view.
  colour: ["Colour", "Farbe", "Couleur"],
  heading: ["heading", "Richtung", "direction"],
  species: ["species", "Art", "espèce"],
  state: ["state", "Zustand", "état"],
  speed: ["speed", "Geschwindigkeit", "vitesse"],
  neighbours: ["neighbours", "Nachbarn", "voisins"],
  all: ["all", "alle", "tous"],
  storey: ["Storey", "Stockwerk", "Étage"],
  trails: ["Trails", "Spuren", "Traînées"],
  none: ["none", "keine", "aucune"],
  short: ["short", "kurz", "courtes"],
  long: ["long", "lang", "longues"],
  flowFields: ["Flow fields", "Flussfelder", "Champs de flux"],
  densityMap: ["Density map", "Dichtekarte", "Carte de densité"],
  forcesOnAgents: ["Forces on agents", "Kräfte auf Agenten", "Forces exercées"],
  background: ["Background", "Hintergrund", "Arrière-plan"],
  automatic: ["automatic", "automatisch", "automatique"],
  sky: ["sky", "Himmel", "ciel"],
  water: ["water", "Wasser", "eau"],
  field: ["field", "Wiese", "prairie"],
  plan: ["plan", "Grundriss", "plan"],
  plain: ["plain", "schlicht", "uni"],
  agents: ["Agents", "Agenten", "Agents"],
  asBodies: ["bodies", "Körper", "corps"],
  asDarts: ["darts", "Pfeile", "flèches"],
  asPoints: ["points", "Punkte", "points"],
  sizeOfDarts: ["Size of darts", "Größe der Pfeile", "Taille des flèches"],

  // The plan.
  out: ["{name}: {count} out", "{name}: {count} hinaus", "{name}\u202f: {count} sortis"],
  passedBy: ["{name}: {count} passed", "{name}: {count} durch", "{name}\u202f: {count} passés"],

  // The legend.
  inMiddle: ["{metres} m in the middle", "{metres} m in der Mitte", "{metres} m au milieu"],
  peoplePerArea: ["people per m²", "Personen je m²", "personnes par m²"],
  agentsPerArea: ["agents per m²", "Agenten je m²", "agents par m²"],
  alongSight: ["agents along the line of sight", "Agenten entlang der Blicklinie", "agents le long de la ligne de visée"],
  headingOnScreen: ["heading on the screen", "Richtung im Bild", "direction à l’écran"],
  speedInMetres: ["speed in m/s", "Geschwindigkeit in m/s", "vitesse en m/s"],
  othersNearby: ["others nearby", "andere in der Nähe", "autres à proximité"],
  range: ["{low} to {high}", "{low} bis {high}", "{low} à {high}"],

  // The charts.
  peopleInside: ["People inside", "Personen im Inneren", "Personnes à l’intérieur"],
  population: ["Population", "Population", "Population"],
  passed: ["People who passed", "Durchgegangene Personen", "Personnes passées"],
  flow: ["Flow in people/s", "Fluss in Personen/s", "Débit en personnes/s"],
  density: ["Density in people/m²", "Dichte in Personen/m²", "Densité en personnes/m²"],
  perState: ["Agents per state", "Agenten je Zustand", "Agents par état"],
  meanOf: ["Mean of {name}", "Mittel von {name}", "Moyenne de {name}"],
  meanSpeed: ["Mean speed in m/s", "Mittlere Geschwindigkeit in m/s", "Vitesse moyenne en m/s"],
  polarisation: ["Polarisation", "Polarisation", "Polarisation"],
  meanNeighbours: ["Mean neighbours", "Nachbarn im Mittel", "Voisins en moyenne"],
  perStage: ["Milliseconds per stage", "Millisekunden je Stufe", "Millisecondes par étape"],
  events: ["Events so far", "Ereignisse bisher", "Événements jusqu’ici"],

  // The inspector.
  pickAgent: [
    "Click an agent to see what it perceives, and which forces act on it.",
    "Einen Agenten anklicken, um zu sehen, was er wahrnimmt und welche Kräfte auf ihn wirken.",
    "Cliquer sur un agent pour voir ce qu’il perçoit et quelles forces agissent sur lui.",
  ],
  follow: ["Follow", "Folgen", "Suivre"],
  followTip: ["Keep the agent in the middle (F)", "Den Agenten in der Mitte halten (F)", "Garder l’agent au milieu (F)"],
  clear: ["Clear the selection", "Auswahl aufheben", "Effacer la sélection"],
  clearTip: ["Clear the selection (Escape)", "Auswahl aufheben (Esc)", "Effacer la sélection (Échap)"],
  speedOf: ["{speed} of {most} m/s", "{speed} von {most} m/s", "{speed} sur {most} m/s"],
  atPlace: ["at {place} m", "bei {place} m", "à {place} m"],
  countNeighbours: ["{count} neighbour|{count} neighbours", "{count} Nachbar|{count} Nachbarn", "{count} voisin|{count} voisins"],
  when: ["when {condition}", "wenn {condition}", "quand {condition}"],
  now: [": now {value}", ": jetzt {value}", "\u202f: maintenant {value}"],
  rule: ["Rule", "Regel", "Règle"],
  weight: ["Weight", "Gewicht", "Poids"],
  force: ["Force", "Kraft", "Force"],
  silent: ["silent", "stumm", "muette"],
  sum: ["sum", "Summe", "somme"],
  atMost: ["at most {force} N", "höchstens {force} N", "au plus {force} N"],
  chooses: ["chooses", "wählt", "choisit"],

  // The items of the environment, and the tools.
  itemObstacle: ["obstacle {number}", "Hindernis {number}", "obstacle {number}"],
  itemMark: ["mark {name}", "Marke {name}", "repère {name}"],
  itemTarget: ["target of {name}", "Ziel von {name}", "cible de {name}"],
  itemWaypoint: ["waypoint {number} of {name}", "Wegpunkt {number} von {name}", "point de passage {number} de {name}"],
  itemWall: ["wall {number}", "Wand {number}", "mur {number}"],
  select: ["Select", "Auswählen", "Sélectionner"],
  selectTip: [
    "Select an agent, or drag an obstacle, a mark, a waypoint or a wall",
    "Einen Agenten auswählen, oder Hindernis, Marke, Wegpunkt oder Wand ziehen",
    "Sélectionner un agent, ou déplacer un obstacle, un repère, un point de passage ou un mur",
  ],
  falcon: ["Falcon", "Falke", "Faucon"],
  falconTip: [
    "Be the hunter: agents flee the pointer while it is held",
    "Jäger sein: Agenten fliehen vor dem Zeiger, solange er gedrückt ist",
    "Être le chasseur\u202f: les agents fuient le pointeur tant qu’il est maintenu",
  ],
  target: ["Target", "Ziel", "Cible"],
  targetTip: ["Move a target", "Ein Ziel verschieben", "Déplacer une cible"],
  waypoint: ["Waypoint", "Wegpunkt", "Point de passage"],
  waypointTip: ["Add a point to a path", "Einem Weg einen Punkt hinzufügen", "Ajouter un point à un chemin"],
  obstacle: ["Obstacle", "Hindernis", "Obstacle"],
  obstacleTip: ["Add an obstacle", "Ein Hindernis hinzufügen", "Ajouter un obstacle"],
  wall: ["Wall", "Wand", "Mur"],
  wallTip: ["Draw a wall", "Eine Wand zeichnen", "Tracer un mur"],
  add: ["Add", "Hinzufügen", "Ajouter"],
  addTip: ["Add agents", "Agenten hinzufügen", "Ajouter des agents"],
  remove: ["Remove", "Entfernen", "Supprimer"],
  removeTip: ["Remove agents", "Agenten entfernen", "Supprimer des agents"],
  undo: ["Undo", "Rückgängig", "Annuler"],
  redo: ["Redo", "Wiederholen", "Rétablir"],
  home: ["Show the whole world", "Die ganze Welt zeigen", "Montrer le monde entier"],
  radius: ["Radius", "Radius", "Rayon"],
  removeItem: ["Remove it (Delete)", "Entfernen (Entf)", "Le supprimer (Suppr)"],
  fearWithin: ["Fear within", "Furcht im Umkreis von", "Peur à moins de"],
  drawWall: [
    "Drag from one end of the wall to the other.", "Von einem Ende der Wand zum anderen ziehen.",
    "Glisser d’un bout du mur à l’autre.",
  ],
  ofSpecies: ["Species", "Art", "Espèce"],
  followPointer: ["Follow the pointer", "Dem Zeiger folgen", "Suivre le pointeur"],
  removeObstacles: ["Remove all obstacles", "Alle Hindernisse entfernen", "Supprimer tous les obstacles"],

  // The keyboard.
  space: ["space", "Leertaste", "espace"],
  ctrl: ["Ctrl", "Strg", "Ctrl"],
  shift: ["Shift", "Umschalt", "Maj"],
  enter: ["Enter", "Eingabe", "Entrée"],
  delete: ["Delete", "Entf", "Suppr"],
  escape: ["Escape", "Esc", "Échap"],
  arrows: ["arrows", "Pfeiltasten", "flèches"],
  doPlay: ["play or pause", "starten oder anhalten", "lecture ou pause"],
  doStep: ["advance by one tick", "einen Tick weiter", "avancer d’un tick"],
  doBack: ["back by one tick", "einen Tick zurück", "reculer d’un tick"],
  doPace: ["slower, faster", "langsamer, schneller", "plus lent, plus rapide"],
  doUndo: ["undo", "rückgängig", "annuler"],
  doRedo: ["redo", "wiederholen", "rétablir"],
  doRestart: ["restart with all changes", "mit allen Änderungen neu starten", "redémarrer avec toutes les modifications"],
  doReset: ["restart without changes", "ohne Änderungen neu starten", "redémarrer sans les modifications"],
  doUse: ["use the tool in the middle of the view", "das Werkzeug in der Mitte der Ansicht anwenden", "utiliser l’outil au milieu de la vue"],
  doNearest: ["select the agent nearest to the middle", "den Agenten auswählen, der der Mitte am nächsten ist", "sélectionner l’agent le plus proche du milieu"],
  doFollow: ["follow the selected agent", "dem ausgewählten Agenten folgen", "suivre l’agent sélectionné"],
  doItem: [
    "choose the next obstacle, mark, waypoint or wall; arrows move it",
    "nächstes Hindernis, nächste Marke, Wand oder nächsten Wegpunkt wählen; Pfeiltasten verschieben",
    "choisir l’obstacle, le repère, le point de passage ou le mur suivant\u202f; les flèches le déplacent",
  ],
  doRemove: ["remove the chosen item", "das Gewählte entfernen", "supprimer l’élément choisi"],
  doClear: ["clear the selection", "Auswahl aufheben", "effacer la sélection"],
  doMove: [
    "move the view (in 3D: turn it; with Shift: move it)", "die Ansicht verschieben (in 3D: drehen; mit Umschalt: verschieben)",
    "déplacer la vue (en 3D\u202f: la tourner\u202f; avec Maj\u202f: la déplacer)",
  ],
  doZoom: ["zoom", "zoomen", "zoomer"],
  doHome: ["show the whole world", "die ganze Welt zeigen", "montrer le monde entier"],
  doColour: ["next meaning of colours", "nächste Bedeutung der Farben", "signification suivante des couleurs"],
  doTheme: ["dark or light background", "dunkler oder heller Hintergrund", "fond sombre ou clair"],
  doOpen: ["gallery of scenarios", "Galerie der Szenarien", "galerie des scénarios"],
  doSave: ["save the scenario with all changes", "das Szenario mit allen Änderungen speichern", "enregistrer le scénario avec toutes les modifications"],
  doFigures: ["statistics for developers", "Statistik für Entwickler", "statistiques pour les développeurs"],
  pointerHelp: [
    "Dragging moves the view in 2D and turns it in 3D; with Shift or the right button it always moves the view. The wheel zooms. Two fingers move, zoom and turn.",
    "Ziehen verschiebt die Ansicht in 2D und dreht sie in 3D; mit Umschalt oder der rechten Taste verschiebt es sie immer. Das Mausrad zoomt. Zwei Finger verschieben, zoomen und drehen.",
    "Glisser déplace la vue en 2D et la tourne en 3D\u202f; avec Maj ou le bouton droit, la vue est toujours déplacée. La molette zoome. Deux doigts déplacent, zooment et tournent.",
  ],

  // The gallery. The engine names its groups in English.
  galleryTitle: ["{count} worlds", "{count} Welt|{count} Welten", "{count} monde|{count} mondes"],
  galleryHelp: [
    "Pick one, then drag a slider: the crowd obeys at once.", "Eine auswählen und an einem Regler ziehen: Die Menge gehorcht sofort.",
    "En choisir un, puis glisser un curseur\u202f: la foule obéit aussitôt.",
  ],
  openScenario: ["Open {title}", "{title} öffnen", "Ouvrir {title}"],
  thisFolder: ["This folder", "Dieser Ordner", "Ce dossier"],
  scenarios: ["Scenarios", "Szenarien", "Scénarios"],
  Flocks: ["Flocks", "Schwärme", "Nuées"],
  Hunters: ["Hunters", "Jäger", "Chasseurs"],
  People: ["People", "Menschen", "Personnes"],
  Papers: ["Papers", "Fachartikel", "Publications"],
  "Single rules": ["Single rules", "Einzelne Regeln", "Règles isolées"],

  // Pictures and films.
  pictureCaption: ["{world} · {time} · {agents} agents", "{world} · {time} · {agents} Agenten", "{world} · {time} · {agents} agents"],
  filming: [
    "Filming: {seconds} s. Share, then Film, ends it and saves the file.",
    "Filmaufnahme: {seconds} s. „Teilen“, dann „Film“ beendet sie und speichert die Datei.",
    "Film en cours\u202f: {seconds} s. «\u202fPartager\u202f», puis «\u202fFilm\u202f» le termine et enregistre le fichier.",
  ],

  // The first steps.
  gotIt: ["Got it", "Verstanden", "Compris"],
  click: ["Click", "Klick", "Clic"],
  clickHint: ["an agent: why does it move so?", "auf Agenten: Was bewegt sie?", "sur un agent\u202f: pourquoi bouge-t-il ainsi\u202f?"],
  drag: ["Drag", "Ziehen", "Glisser"],
  dragHint: ["a slider: the crowd obeys at once", "am Regler: Die Menge gehorcht sofort", "un curseur\u202f: la foule obéit aussitôt"],
  move: ["Move", "Bewegen", "Bouger"],
  moveHint: ["the pointer: you are the falcon", "des Zeigers: Er ist der Falke", "le pointeur\u202f: c’est le faucon"],
  falconHint: ["be the falcon: hold, and they flee", "Falke sein: gedrückt halten, und sie fliehen", "être le faucon\u202f: maintenir, et ils fuient"],
  openHint: ["{count} worlds to open", "{count} Welt zum Öffnen|{count} Welten zum Öffnen", "{count} monde à ouvrir|{count} mondes à ouvrir"],

  // Notices, errors and the footer.
  differs: ["the page and the program differ: reload the page", "Seite und Programm passen nicht zusammen: Seite neu laden", "la page et le programme diffèrent\u202f: recharger la page"],
  lost: ["The engine has stopped", "Die Engine läuft nicht mehr", "Le moteur s’est arrêté"],
  lostHelp: [
    "Start it again with the same `--port`, then try again; without that option, open the address that it prints.",
    "Mit demselben `--port` wieder starten und es dann erneut versuchen; ohne diese Option die Adresse öffnen, die sie ausgibt.",
    "Le relancer avec le même `--port`, puis réessayer\u202f; sans cette option, ouvrir l’adresse qu’il affiche.",
  ],
  tryAgain: ["Try again", "Erneut versuchen", "Réessayer"],
  connecting: ["Connecting …", "Verbindung wird aufgebaut …", "Connexion …"],
  unreachable: [
    "The program ended, or this machine cannot reach it.", "Das Programm wurde beendet, oder dieser Rechner erreicht es nicht.",
    "Le programme s’est terminé, ou cette machine ne peut pas l’atteindre.",
  ],
  stopped: ["It stopped by itself: {reason}", "Sie hat von selbst angehalten: {reason}", "Il s’est arrêté de lui-même\u202f: {reason}"],
  stoppedInTab: [
    "It stopped by itself, as when a world needs more memory than a tab has: {reason}",
    "Sie hat von selbst angehalten, etwa weil eine Welt mehr Speicher braucht, als ein Tab hat: {reason}",
    "Il s’est arrêté de lui-même, comme lorsqu’un monde demande plus de mémoire qu’un onglet n’en a\u202f: {reason}",
  ],
  noEngine: ["engine.js cannot be loaded", "engine.js kann nicht geladen werden", "engine.js ne peut pas être chargé"],
  runCellAgain: [
    "If the kernel was restarted, run the cell again.", "Wurde der Kernel neu gestartet, die Zelle noch einmal ausführen.",
    "Si le noyau a été redémarré, exécuter de nouveau la cellule.",
  ],
  kernelSilent: [
    "The kernel of the notebook does not answer. It may be busy with a cell.",
    "Der Kernel des Notebooks antwortet nicht. Vielleicht führt er gerade eine Zelle aus.",
    "Le noyau du notebook ne répond pas. Il exécute peut-être une cellule.",
  ],
  saved: [
    "Saved as {name}: the scenario with all changes.", "Gespeichert als {name}: das Szenario mit allen Änderungen.",
    "Enregistré sous {name}\u202f: le scénario avec toutes les modifications.",
  ],
  savedRecording: [
    "Saved as {name}: the run with all edits. throng replay {name} repeats it.",
    "Gespeichert als {name}: der Lauf mit allen Eingriffen. throng replay {name} wiederholt ihn.",
    "Enregistré sous {name}\u202f: l’exécution avec toutes les interventions. throng replay {name} la répète.",
  ],
  recorded: ["recorded", "aufgezeichnet", "enregistré"],
  agentsFact: ["agents", "Agenten", "agents"],
  tickFact: ["tick", "Tick", "tick"],
  paused: ["paused", "angehalten", "en pause"],
  runsAt: ["runs at", "läuft mit", "tourne à"],
  runsAtTip: [
    "The multiple of real time that this machine reaches", "Das Vielfache der Echtzeit, das dieser Rechner erreicht",
    "Le multiple du temps réel que cette machine atteint",
  ],
  hashTip: [
    "The hash of the state: equal states have equal hashes", "Der Hash des Zustands: Gleiche Zustände haben gleiche Hashes",
    "Le hash de l’état\u202f: des états égaux ont des hashs égaux",
  ],
  ticksPerSecond: ["{ticks} ticks/s", "{ticks} Ticks/s", "{ticks} ticks/s"],
  drawn: ["drawn", "gezeichnet", "dessin"],
  framesPerSecond: ["{frames} frames/s", "{frames} Bilder/s", "{frames} images/s"],
  frame: ["frame", "Bild", "image"],
  bytes: ["{bytes} bytes", "{bytes} Bytes", "{bytes} octets"],
  encodedIn: ["encoded in", "kodiert in", "codage en"],
  paintedIn: ["painted in", "gemalt in", "tracé en"],
  dropped: ["dropped frames", "ausgelassene Bilder", "images omises"],
  drawnAs: ["as", "als", "forme"],
  threads: ["threads", "Threads", "threads"],
  inexact: ["inexact: {share}", "ungenau: {share}", "inexact\u202f: {share}"],
  rulesAtFault: ["rules at fault", "fehlerhafte Regeln", "règles en défaut"],
  hardlyAny: ["less than 0.1 %", "weniger als 0.1 %", "moins de 0.1 %"],
  faults: ["Faults of the tick", "Fehler des Ticks", "Défauts du tick"],
  fault: ["In this tick, {warning}.", "In diesem Tick: {warning}.", "Dans ce tick\u202f: {warning}."],
  noFaults: ["This tick has none.", "Dieser Tick hat keine.", "Ce tick n’en a aucun."],
  faultsHelp: [
    "Where very many agents stand in one place, a tick has a limit on the pairs that it looks at. Agents beyond it perceive "
      + "the nearest candidates only. Results stay the same on every platform compared, but they differ from an exact search.",
    "Wo sehr viele Agenten an einer Stelle stehen, betrachtet ein Tick nur eine begrenzte Zahl von Paaren. Agenten darüber hinaus nehmen "
      + "nur die nächsten Kandidaten wahr. Die Ergebnisse bleiben auf allen verglichenen Plattformen gleich, weichen aber von einer genauen Suche ab.",
    "Là où de très nombreux agents se tiennent au même endroit, un tick n’examine qu’un nombre limité de paires. Au-delà, les agents ne perçoivent "
      + "que les candidats les plus proches. Les résultats restent les mêmes sur toutes les plateformes comparées, mais diffèrent d’une recherche exacte.",
  ],

  // A page with its own engine.
  murmurationTile: ["How does one falcon turn fifty thousand starlings?", "Wie lenkt ein Falke fünfzigtausend Stare?", "Comment un faucon détourne-t-il cinquante mille étourneaux\u202f?"],
  shoalTile: ["Why does a shoal split before the sharks arrive?", "Warum teilt sich ein Fischschwarm, bevor die Haie kommen?", "Pourquoi un banc se divise-t-il avant l’arrivée des requins\u202f?"],
  huntTile: ["How long can the herd escape?", "Wie lange kann die Herde entkommen?", "Combien de temps le troupeau peut-il fuir\u202f?"],
  hallTile: ["How wide must the door be to empty the hall in a minute?", "Wie breit muss die Tür sein, damit sich der Saal in einer Minute leert?", "Quelle largeur de porte vide la salle en une minute\u202f?"],
  circleTile: ["How do a thousand people swap sides?", "Wie wechseln tausend Menschen die Seite?", "Comment mille personnes changent-elles de côté\u202f?"],
  vicsekTile: ["At which noise does order appear?", "Bei welchem Rauschen entsteht Ordnung?", "À quel bruit l’ordre apparaît-il\u202f?"],
  allWorlds: ["All worlds …", "Alle Welten …", "Tous les mondes …"],
  asText: ["The scenario as text", "Das Szenario als Text", "Le scénario sous forme de texte"],
  runText: ["Run this text", "Diesen Text starten", "Lancer ce texte"],
  bench: ["Measure this browser", "Diesen Browser messen", "Mesurer ce navigateur"],
  benchRuns: [
    "The flocks of `throng bench` on one thread take about a minute. Keep this tab in front.",
    "Die Schwärme von `throng bench` auf einem Thread dauern etwa eine Minute. Dieser Tab sollte im Vordergrund bleiben.",
    "Les nuées de `throng bench` sur un thread prennent environ une minute. Gardez cet onglet au premier plan.",
  ],
  benchDone: [
    "A click selects the text. Its hashes are those of `throng bench`, in every browser.",
    "Ein Klick wählt den Text aus. Seine Hashes sind die von `throng bench`, in jedem Browser.",
    "Un clic sélectionne le texte. Ses hashs sont ceux de `throng bench`, dans tout navigateur.",
  ],
  inThisTab: [
    "Each world runs in this tab. Nothing is sent anywhere.", "Jede Welt läuft in diesem Tab. Nichts wird gesendet.",
    "Chaque monde tourne dans cet onglet. Rien n’est envoyé.",
  ],
  again: ["Restart", "Neu starten", "Redémarrer"],
  againTip: ["Restart (R)", "Neu starten (R)", "Redémarrer (R)"],
  firstWorld: [
    "Try again opens the first world.", "„Erneut versuchen“ öffnet die erste Welt.", "«\u202fRéessayer\u202f» ouvre le premier monde.",
  ],
  everywhere: [
    "The same world on every platform compared", "Dieselbe Welt auf allen verglichenen Plattformen", "Le même monde sur toutes les plateformes comparées",
  ],
  stateHere: [
    "The state at tick {tick}, here and on other processors:", "Der Zustand bei Tick {tick}, hier und auf anderen Prozessoren:",
    "L’état au tick {tick}, ici et sur d’autres processeurs\u202f:",
  ],
  stateThere: [
    "At tick {tick} this tab has the state that other processors had:", "Bei Tick {tick} hat dieser Tab den Zustand, den andere Prozessoren hatten:",
    "Au tick {tick}, cet onglet a l’état qu’avaient d’autres processeurs\u202f:",
  ],
  thisTab: ["this tab", "dieser Tab", "cet onglet"],
  otherHash: ["differs", "anders", "diffère"],
  goToTick: ["Go to tick {tick}", "Zu Tick {tick}", "Aller au tick {tick}"],
  link: ["Link to this moment", "Link zu diesem Moment", "Lien vers cet instant"],
  linkTip: [
    "Copy an address with this world in it: scenario, edits, seed and tick",
    "Eine Adresse kopieren, die diese Welt enthält: Szenario, Eingriffe, Startwert und Tick",
    "Copier une adresse qui contient ce monde\u202f: scénario, interventions, graine et tick",
  ],
  linkTitle: ["A link to this moment", "Ein Link zu diesem Moment", "Un lien vers cet instant"],
  linkCopied: [
    "It is in the clipboard and in the address. It opens at this frame, tick {tick}, and plays from here. Its {letters} letters are the world; nothing was sent.",
    "Er ist in der Zwischenablage und in der Adresse. Er öffnet sich bei diesem Bild, Tick {tick}, und läuft von hier weiter. Seine {letters} Zeichen sind die Welt; nichts wurde gesendet.",
    "Il est dans le presse-papiers et dans l’adresse. Il s’ouvre à cette image, au tick {tick}, et continue d’ici. Ses {letters} caractères sont le monde\u202f; rien n’a été envoyé.",
  ],
  linkComputed: [
    "The link is computed again: tick {tick} of {last}", "Der Link wird neu berechnet: Tick {tick} von {last}", "Le lien est recalculé\u202f: tick {tick} sur {last}",
  ],
  linkSame: [
    "This is the state of the link, bit for bit: {hash}. Play continues it.", "Das ist der Zustand des Links, Bit für Bit: {hash}. „Start“ setzt ihn fort.",
    "C’est l’état du lien, bit pour bit\u202f: {hash}. «\u202fLecture\u202f» le poursuit.",
  ],
  linkOther: [
    "The state is {hash}, and the link's is {expected}: it was made by another version of throng, or by hand.",
    "Der Zustand ist {hash}, der des Links {expected}: Er stammt von einer anderen Version von throng oder wurde von Hand gemacht.",
    "L’état est {hash}, celui du lien {expected}\u202f: il vient d’une autre version de throng, ou a été fait à la main.",
  ],
  linkEdits: [
    "This run has too many edits for a link: {letters} letters, and {most} are allowed. A recording of the run has no limit.",
    "Dieser Lauf hat zu viele Eingriffe für einen Link: {letters} Zeichen, und {most} sind erlaubt. Eine Aufzeichnung des Laufs hat keine Grenze.",
    "Cette exécution a trop d’interventions pour un lien\u202f: {letters} caractères, et {most} sont permis. Un enregistrement de l’exécution n’a pas de limite.",
  ],
  linkLong: ["this link is longer than {most} letters", "dieser Link ist länger als {most} Zeichen", "ce lien dépasse {most} caractères"],
  linkLarge: ["this link is larger than {most} MiB", "dieser Link ist größer als {most} MiB", "ce lien dépasse {most} Mio"],
  linkDamaged: ["this link is damaged", "dieser Link ist beschädigt", "ce lien est endommagé"],
};

/** The number of the language: the one after ?lang= or &lang= in the address, or the first of the browser that the page has. */
const LANGUAGE = [new URLSearchParams(location.search).get("lang"), ...navigator.languages, "en"]
  .map((name) => LANGUAGES.indexOf(name?.split("-")[0])).find((number) => number >= 0);
const PLURALS = new Intl.PluralRules(LANGUAGES[LANGUAGE]);

/** A text in the language of the page, with these values. `count` chooses between its forms. */
function say(key, values = {}) {
  const forms = WORDS[key][LANGUAGE].split("|"), one = PLURALS.select(values.count ?? 2) === "one";
  return (one ? forms[0] : forms.at(-1)).replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** A name of the engine, in the language of the page if that is known. */
function sayName(name) {
  return Object.hasOwn(WORDS, name) ? say(name) : name;
}

/** A text without a capital at its beginning. German nouns keep theirs. */
function uncapitalised(text) {
  return LANGUAGES[LANGUAGE] === "de" ? text : text[0].toLowerCase() + text.slice(1);
}

// The document has the keys of its words: data-text of a text, data-tip of a title, data-label of a name for screen readers.
document.documentElement.lang = LANGUAGES[LANGUAGE];
for (const node of document.querySelectorAll("[data-text], [data-tip], [data-label]")) {
  const { text, tip, label } = node.dataset;
  if (text) node.replaceChildren(...prose(say(text)));
  if (tip) node.title = say(tip);
  if (label) node.ariaLabel = say(label);
}
