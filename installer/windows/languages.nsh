; Texts of the installer in the languages of the program.

!macro SAY NAME EN DE FR ES JA
    LangString ${NAME} ${LANG_ENGLISH} "${EN}"
    LangString ${NAME} ${LANG_GERMAN} "${DE}"
    LangString ${NAME} ${LANG_FRENCH} "${FR}"
    LangString ${NAME} ${LANG_SPANISH} "${ES}"
    LangString ${NAME} ${LANG_JAPANESE} "${JA}"
!macroend

!insertmacro SAY ABOUT \
    "Turns a folder of photos into well-framed face crops" \
    "Macht aus einem Ordner voller Fotos gut ausgerichtete Gesichtsausschnitte" \
    "Transforme un dossier de photos en portraits bien cadrés" \
    "Convierte una carpeta de fotos en recortes de caras bien encuadrados" \
    "フォルダーの写真から、顔をきれいに切り抜きます"
!insertmacro SAY CROP_WITH \
    "Crop with Iron Cropper" \
    "Mit Iron Cropper zuschneiden" \
    "Recadrer avec Iron Cropper" \
    "Recortar con Iron Cropper" \
    "Iron Cropper で切り抜く"
!insertmacro SAY PICTURE \
    "Picture" "Bild" "Image" "Imagen" "画像"
!insertmacro SAY MENU \
    "Explorer's menus" \
    "Menüs des Explorers" \
    "Menus de l’Explorateur" \
    "Menús del Explorador" \
    "エクスプローラーのメニュー"
!insertmacro SAY MENU_ABOUT \
    "“Crop with Iron Cropper” for folders, and a place under “Open with” and “Send to” for pictures" \
    "„Mit Iron Cropper zuschneiden“ für Ordner sowie ein Platz unter „Öffnen mit“ und „Senden an“ für Bilder" \
    "« Recadrer avec Iron Cropper » pour les dossiers, et une place sous « Ouvrir avec » et « Envoyer vers » pour les images" \
    "«Recortar con Iron Cropper» para carpetas, y un lugar en «Abrir con» y «Enviar a» para imágenes" \
    "フォルダーには「Iron Cropper で切り抜く」、画像には「プログラムから開く」と「送る」の項目を加えます"
!insertmacro SAY RUNTIME \
    "ONNX Runtime with DirectML" \
    "ONNX Runtime mit DirectML" \
    "ONNX Runtime avec DirectML" \
    "ONNX Runtime con DirectML" \
    "ONNX Runtime(DirectML 対応)"
!insertmacro SAY RUNTIME_ABOUT \
    "Finds faces faster, on the processor and on graphics cards with DirectX 12" \
    "Findet Gesichter schneller, auf dem Prozessor und auf Grafikkarten mit DirectX 12" \
    "Trouve les visages plus vite, sur le processeur et sur les cartes graphiques DirectX 12" \
    "Encuentra las caras más rápido, en el procesador y en tarjetas gráficas con DirectX 12" \
    "プロセッサーや DirectX 12 対応のグラフィックスカードで、顔をより速く見つけます"
!insertmacro SAY COMMAND_LINE \
    "Command line in every terminal" \
    "Befehlszeile in jedem Terminal" \
    "Ligne de commande dans chaque terminal" \
    "Línea de comandos en cualquier terminal" \
    "どのターミナルからでも使えるコマンドライン"
!insertmacro SAY COMMAND_LINE_ABOUT \
    "Adds the program's folder to your search path (Path)" \
    "Fügt den Ordner des Programms zu Ihrem Suchpfad (Path) hinzu" \
    "Ajoute le dossier du programme à votre chemin de recherche (Path)" \
    "Añade la carpeta del programa a su ruta de búsqueda (Path)" \
    "プログラムのフォルダーを検索パス (Path) に加えます"
!insertmacro SAY PATH_LEFT \
    "The search path is too long to be changed here; it was left as it is." \
    "Der Suchpfad ist zu lang, um hier geändert zu werden; er blieb, wie er war." \
    "Le chemin de recherche est trop long pour être modifié ici ; il est resté tel quel." \
    "La ruta de búsqueda es demasiado larga para cambiarla aquí; se ha dejado como estaba." \
    "検索パスが長すぎるため変更せず、そのままにしました。"
!insertmacro SAY IS_RUNNING \
    "Iron Cropper is running. Close it, then try again." \
    "Iron Cropper läuft noch. Schließen Sie das Programm und versuchen Sie es erneut." \
    "Iron Cropper est en cours d’exécution. Fermez-le, puis réessayez." \
    "Iron Cropper se está ejecutando. Ciérrelo e inténtelo de nuevo." \
    "Iron Cropper が動作中です。終了してからもう一度お試しください。"
!insertmacro SAY NEEDS_64_BIT \
    "Iron Cropper needs a 64-bit Windows." \
    "Iron Cropper benötigt ein 64-Bit-Windows." \
    "Iron Cropper nécessite un Windows 64 bits." \
    "Iron Cropper necesita un Windows de 64 bits." \
    "Iron Cropper には 64 ビット版の Windows が必要です。"
